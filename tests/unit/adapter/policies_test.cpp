// Valid combinations of policies, and the behaviour of each.
#include <gtest/gtest.h>

#include <optional>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;
using CORBA::PolicyList;

namespace {

template <class P, class Value>
CORBA::object_reference<CORBA::Policy> policy(Value value) {
  return CORBA::object_reference<CORBA::Policy>(std::make_shared<P>(value));
}

// The index at which a list is refused; -1 if it is accepted.
int refused_at(Adapters& orb, const PolicyList& policies) {
  try {
    orb.child("one of them", policies)->destroy(false, true);
  } catch (const POA::InvalidPolicy& refused) {
    return refused.index();
  }
  return -1;
}

// The seven policies in the order of their ids.
struct Combination {
  std::uint32_t thread, lifespan, uniqueness, assignment, implicit, retention, processing;

  PolicyList list() const {
    return {policy<ThreadPolicy>(static_cast<ThreadPolicyValue>(thread)),
            policy<LifespanPolicy>(static_cast<LifespanPolicyValue>(lifespan)),
            policy<IdUniquenessPolicy>(static_cast<IdUniquenessPolicyValue>(uniqueness)),
            policy<IdAssignmentPolicy>(static_cast<IdAssignmentPolicyValue>(assignment)),
            policy<ImplicitActivationPolicy>(static_cast<ImplicitActivationPolicyValue>(implicit)),
            policy<ServantRetentionPolicy>(static_cast<ServantRetentionPolicyValue>(retention)),
            policy<RequestProcessingPolicy>(static_cast<RequestProcessingPolicyValue>(processing))};
  }
  bool unique() const { return uniqueness == 0; }
  bool system_ids() const { return assignment == 1; }
  bool implicit_activation() const { return implicit == 0; }
  bool retain() const { return retention == 0; }
  bool map_only() const { return processing == 0; }
  bool default_servant() const { return processing == 1; }
};

// CORBA 3.0.3, 11.3.8.3: the first index at which the list becomes illegal.
int first_conflict(const Combination& c) {
  if (c.implicit_activation() && !c.system_ids()) return 4;
  if (c.implicit_activation() && !c.retain()) return 5;
  if (!c.retain() && c.map_only()) return 6;
  if (c.default_servant() && c.unique()) return 6;
  return -1;
}

template <class Visit>
void each_combination(Visit visit) {
  for (std::uint32_t thread = 0; thread < 3; ++thread)
    for (std::uint32_t bits = 0; bits < 32; ++bits)
      for (std::uint32_t processing = 0; processing < 3; ++processing)
        visit(Combination{thread, bits & 1, bits >> 1 & 1, bits >> 2 & 1, bits >> 3 & 1, bits >> 4 & 1,
                          processing});
}

}  // namespace

TEST(PoaPolicies, EachCombinationIsMadeOrRefusedAtItsPlace) {
  Adapters orb;
  int legal = 0;
  each_combination([&](const Combination& combination) {
    const int expected = first_conflict(combination);
    legal += expected < 0 ? 1 : 0;
    EXPECT_EQ(refused_at(orb, combination.list()), expected)
        << combination.thread << combination.lifespan << combination.uniqueness << combination.assignment
        << combination.implicit << combination.retention << combination.processing;
  });
  EXPECT_EQ(legal, 126) << "of 288";
}

class Giver : public virtual ServantActivator {
 public:
  CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
    return number_servant(3);
  }
  void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                   bool) override {}
};
class Lender : public virtual ServantLocator {
 public:
  CORBA::servant_reference<Servant> preinvoke(const ObjectId&, CORBA::object_reference<POA>,
                                              const std::string&, Cookie&) override {
    return number_servant(4);
  }
  void postinvoke(const ObjectId&, CORBA::object_reference<POA>, const std::string&, Cookie,
                  CORBA::servant_reference<Servant>) override {}
};

// Requests through a reference made without a servant are served as the policies say, and so are requests to
// an active object.
TEST(PoaPolicies, EachLegalCombinationServesRequests) {
  Adapters orb;
  each_combination([&](const Combination& c) {
    if (first_conflict(c) >= 0) return;
    const auto poa = orb.child("one of them", c.list());
    std::uint32_t expected = 0;
    if (c.default_servant()) {
      poa->set_servant(number_servant(expected = 2));
    } else if (!c.map_only()) {
      const auto manager = c.retain()
                               ? CORBA::object_reference<ServantManager>(CORBA::make_reference<Giver>())
                               : CORBA::object_reference<ServantManager>(CORBA::make_reference<Lender>());
      poa->set_servant_manager(manager);
      expected = c.retain() ? 3 : 4;
    }
    const auto made = c.system_ids()
                          ? poa->create_reference("IDL:Test/Number:1.0")
                          : poa->create_reference_with_id(string_to_ObjectId("x"), "IDL:Test/Number:1.0");
    const Answer answer = orb.call(made);
    if (expected == 0)
      EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST"));
    else
      EXPECT_EQ(answer.value, expected);
    const auto servant = number_servant(7);
    const auto activate = [&] {
      if (c.system_ids()) return poa->activate_object(servant);
      poa->activate_object_with_id(string_to_ObjectId("y"), servant);
      return string_to_ObjectId("y");
    };
    if (c.retain())
      EXPECT_EQ(orb.call(poa->id_to_reference(activate())).value, 7u);
    else
      EXPECT_THROW(activate(), POA::WrongPolicy);
    poa->destroy(true, true);
  });
}

TEST(PoaPolicies, ThatDoNotGoWithADefaultAreRefused) {
  Adapters orb;
  const auto user = policy<IdAssignmentPolicy>(IdAssignmentPolicyValue::USER_ID);
  const auto system = policy<IdAssignmentPolicy>(IdAssignmentPolicyValue::SYSTEM_ID);
  const auto non_retain = policy<ServantRetentionPolicy>(ServantRetentionPolicyValue::NON_RETAIN);
  const auto implicit = policy<ImplicitActivationPolicy>(ImplicitActivationPolicyValue::IMPLICIT_ACTIVATION);
  const auto default_servant =
      policy<RequestProcessingPolicy>(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT);
  EXPECT_EQ(refused_at(orb, {user, non_retain}), 1);
  EXPECT_EQ(refused_at(orb, {user, default_servant}), 1) << "unique ids are the default";
  EXPECT_EQ(refused_at(orb, {implicit, user}), 1);
  EXPECT_EQ(refused_at(orb, {user, implicit}), 1);
  EXPECT_EQ(refused_at(orb, {implicit, system}), -1);
  EXPECT_EQ(refused_at(orb, {nullptr}), 0);
  EXPECT_EQ(refused_at(orb, {user, implicit, system}), 2) << "two values of a kind";
  EXPECT_EQ(refused_at(orb, {system, user}), 1) << "although the first is the default";
  EXPECT_EQ(refused_at(orb, {system, system, implicit}), -1) << "one value twice";
  EXPECT_EQ(user->copy()->policy_type(), ID_ASSIGNMENT_POLICY_ID);
}

}  // namespace takt::adapter
