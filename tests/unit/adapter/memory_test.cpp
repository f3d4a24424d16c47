// Adapters and objects that are made and destroyed without memory.
#include <gtest/gtest.h>

#include <string>

#include <takt/lookup/lookup_policy.h>

#include "../../failing_memory.h"
#include "adapters.h"

namespace takt::adapter {
namespace {

using namespace PortableServer;

struct WithoutMemory : testing::Test {
  // An adapter for servants of several objects.
  CORBA::object_reference<POA> child(const std::string& name, Lookup servants, bool has_activator = false) {
    LookupStrategies lookup;
    lookup.servant = servants;
    CORBA::PolicyList policies{orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                               orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID),
                               create_lookup_policy(lookup)};
    if (has_activator)
      policies.push_back(
          orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
    return orb.child(name, policies);
  }
  const test::Here here;
  Adapters orb;
};

class NumberActivator : public virtual ServantActivator {
 public:
  CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
    return number_servant(1);
  }
  void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                   bool) override {}
};

TEST_F(WithoutMemory, AnActivationThatFailsLeavesNothing) {
  for (const Lookup lookup : {Lookup::linear, Lookup::dynamic}) {
    const auto poa = child("poa", lookup), other = child("other", lookup);
    const auto servant = number_servant(1);
    other->activate_object_with_id(string_to_ObjectId("first"), servant);
    int activated = 0;
    for (int i = 0; activated < 40; ++i) {  // the look-up grows several times
      const ObjectId id = string_to_ObjectId("object " + std::to_string(i));
      for (int n = 0; test::fails_here(n, [&] { poa->activate_object_with_id(id, servant); }); ++n)
        ASSERT_THROW(poa->id_to_servant(id), POA::ObjectNotActive) << "allocation " << n;
      ASSERT_EQ(poa->id_to_servant(id), servant);
      ++activated;
    }
    other->deactivate_object(string_to_ObjectId("first"));
    poa->destroy(true, false);
    other->destroy(true, false);
    EXPECT_TRUE(orb.root->the_children().empty()) << "each object has gone";
    EXPECT_EQ(servant.shared().use_count(), 1);
  }
}

TEST_F(WithoutMemory, AnActivationInASecondAdapterThatFailsLeavesNothing) {
  const auto poa = child("poa", Lookup::dynamic), other = child("other", Lookup::dynamic);
  const ObjectId id = string_to_ObjectId("object");
  bool failed = true;
  for (int n = 0; failed; ++n) {
    const auto servant = number_servant(1);
    poa->activate_object_with_id(id, servant);
    failed = test::fails_here(n, [&] { other->activate_object_with_id(id, servant); });
    poa->deactivate_object(id);
    if (!failed) other->deactivate_object(id);
    EXPECT_EQ(servant.shared().use_count(), 1) << "allocation " << n;
  }
}

TEST_F(WithoutMemory, ADestroyedAdapterIsGoneWithItsChildren) {
  bool failed = true;
  for (int n = 0; failed; ++n) {
    const auto poa = child("poa", Lookup::dynamic, true);
    const auto grandchild = poa->create_POA("child", orb.root->the_POAManager(), {});
    poa->set_servant_manager(CORBA::make_reference<NumberActivator>());
    bool gone = false;
    {
      const auto servant = number_servant(1);
      servant->gone = &gone;
      grandchild->activate_object(servant);
    }
    for (const char* const name : {"one", "two"})
      orb.call(poa->create_reference_with_id(string_to_ObjectId(name), "IDL:Test/Number:1.0"));
    failed = test::fails_here(n, [&] { poa->destroy(true, false); });
    EXPECT_TRUE(gone);
    ASSERT_TRUE(orb.root->the_children().empty()) << "allocation " << n;
  }
}

}  // namespace
}  // namespace takt::adapter
