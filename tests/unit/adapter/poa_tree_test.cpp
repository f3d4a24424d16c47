// Adapters within adapters.
#include <gtest/gtest.h>

#include <future>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

TEST(PoaTree, ChildrenAreMadeFoundAndDestroyed) {
  Adapters orb;
  const auto child = orb.child("child", {});
  EXPECT_EQ(child->the_name(), "child");
  EXPECT_EQ(child->the_parent(), orb.root);
  EXPECT_FALSE(orb.root->the_parent());
  EXPECT_EQ(orb.root->the_children().size(), 1u);
  EXPECT_EQ(orb.root->find_POA("child", false), child);
  EXPECT_NE(child->id(), orb.root->id());
  EXPECT_THROW(orb.child("child", {}), POA::AdapterAlreadyExists);
  EXPECT_THROW(orb.root->find_POA("other", true), POA::AdapterNonExistent);
  const auto reference = child->id_to_reference(child->activate_object(number_servant(1)));
  EXPECT_EQ(orb.call(reference).value, 1u);
  child->destroy(true, true);
  EXPECT_TRUE(orb.root->the_children().empty());
  const auto answer = orb.call(reference);
  EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST"));
  EXPECT_EQ(answer.minor, CORBA::omg_minor(2));
  EXPECT_THROW(child->activate_object(number_servant(2)), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(orb.child("child", {})->the_name(), "child") << "the name is free again";
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"))
      << "but a transient reference died with its adapter";
}

// A servant or manager that a destroyed adapter accepted would never be released.
TEST(PoaTree, DestroyedAdaptersDoNotExist) {
  Adapters orb;
  const auto served = orb.child(
      "served",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_DEFAULT_SERVANT),
       orb.root->create_id_uniqueness_policy(IdUniquenessPolicyValue::MULTIPLE_ID)});
  const auto managed = orb.child(
      "managed",
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto reference = served->create_reference("IDL:Test/Number:1.0");
  const auto id = served->reference_to_id(reference);
  served->destroy(true, true);
  managed->destroy(true, true);
  const auto is_gone = [](const auto& operation) { EXPECT_THROW(operation(), CORBA::OBJECT_NOT_EXIST); };
  is_gone([&] { served->create_reference("IDL:Test/Number:1.0"); });
  is_gone([&] { served->create_reference_with_id(id, "IDL:Test/Number:1.0"); });
  is_gone([&] { served->reference_to_id(reference); });
  is_gone([&] { served->reference_to_servant(reference); });
  is_gone([&] { served->id_to_reference(id); });
  is_gone([&] { served->deactivate_object(id); });
  is_gone([&] { served->set_servant(number_servant(1)); });
  is_gone([&] { served->get_servant(); });
  is_gone([&] { managed->set_servant_manager(nullptr); });
  is_gone([&] { managed->get_servant_manager(); });
  is_gone([&] { managed->the_activator(nullptr); });
  is_gone([&] { managed->find_POA("child", true); });
  EXPECT_THROW(managed->create_POA("child", nullptr, {}), CORBA::BAD_INV_ORDER);
  managed->destroy(true, true);
}

TEST(PoaTree, ReferencesOfAnotherOrbAreWrong) {
  Adapters orb, other;
  const auto made = [](Adapters& in) {
    return in.child("same", {in.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)});
  };
  const auto mine = made(orb), others = made(other);
  const auto reference = others->create_reference("IDL:Test/Number:1.0");
  EXPECT_THROW(mine->reference_to_id(reference), POA::WrongAdapter) << "although the path is the same";
  EXPECT_FALSE(others->reference_to_id(reference).empty());
}

TEST(PoaTree, DestroyingWaitsForUpcallsAndTakesTheChildren) {
  Adapters orb;
  const auto child = orb.child("child", {});
  const auto grandchild = child->create_POA("grandchild", orb.root->the_POAManager(), {});
  std::promise<void> entered, go_on;
  bool gone = false;
  auto servant = number_servant(1, [&] {
    EXPECT_THROW(grandchild->destroy(true, true), CORBA::BAD_INV_ORDER);
    entered.set_value();
    go_on.get_future().wait();
  });
  servant->gone = &gone;
  const auto reference = grandchild->id_to_reference(grandchild->activate_object(servant));
  servant = nullptr;
  auto call = std::async(std::launch::async, [&] { return orb.call(reference, "run"); });
  entered.get_future().wait();
  child->destroy(true, false);
  EXPECT_FALSE(gone);
  EXPECT_TRUE(orb.call(reference).is("OBJECT_NOT_EXIST"));
  auto waiting = std::async(std::launch::async, [&] { child->destroy(true, true); });
  go_on.set_value();
  waiting.get();
  EXPECT_EQ(call.get().status, Answer::result);
  EXPECT_TRUE(gone);
}

TEST(PoaTree, MayBeDestroyedFromInside) {
  Adapters orb;
  const auto child = orb.child("child", {});
  const auto reference =
      child->id_to_reference(child->activate_object(number_servant(1, [&] { child->destroy(true, false); })));
  EXPECT_EQ(orb.call(reference, "run").status, Answer::result);
  EXPECT_TRUE(orb.root->the_children().empty());
}

TEST(PoaTree, PersistentKeysWorkInTheNextProcess) {
  const auto make = [](Adapters& orb) {
    const auto outer =
        orb.child("outer", {orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)});
    return outer->create_POA("inner/\xff", orb.root->the_POAManager(),
                             {orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                              orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
  };
  ObjectId key;
  {
    Adapters before;
    const auto poa = make(before);
    poa->activate_object_with_id(string_to_ObjectId("it"), number_servant(1));
    const auto reference = poa->id_to_reference(string_to_ObjectId("it"));
    key = key_of(reference);
    EXPECT_EQ(before.call(key).value, 1u);
    EXPECT_EQ(ObjectId_to_string(poa->reference_to_id(reference)), "it");
  }
  Adapters after;
  EXPECT_TRUE(after.call(key).is("OBJECT_NOT_EXIST"));
  make(after)->activate_object_with_id(string_to_ObjectId("it"), number_servant(2));
  EXPECT_EQ(after.call(key).value, 2u);
}

TEST(PoaTree, TheSystemNamesPersistentObjectsDifferentlyEachTime) {
  Adapters one, two;
  const auto id_in = [](Adapters& orb) {
    return orb.child("p", {orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)})
        ->activate_object(number_servant(1));
  };
  EXPECT_NE(id_in(one), id_in(two));
}

class MakesChildren : public virtual AdapterActivator {
 public:
  bool unknown_adapter(CORBA::object_reference<POA> parent, const std::string& name) override {
    ++asked;
    if (name != "wanted") return false;
    const auto made =
        parent->create_POA(name, parent->the_POAManager(),
                           {parent->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
                            parent->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)});
    made->activate_object_with_id(string_to_ObjectId("it"), number_servant(8));
    return true;
  }
  int asked = 0;
};

TEST(PoaTree, AnAdapterActivatorMakesWhatIsMissing) {
  Adapters orb;
  const auto activator = CORBA::make_reference<MakesChildren>();
  orb.root->the_activator(activator);
  EXPECT_EQ(orb.root->the_activator(), activator);
  EXPECT_THROW(orb.root->find_POA("unwanted", true), POA::AdapterNonExistent);
  EXPECT_THROW(orb.root->find_POA("wanted", false), POA::AdapterNonExistent);
  const auto key = orb.core->adapter.tree().keys.make({.adapter = Lookup::dynamic,
                                                       .path = bytes_of(append_to_path("", "wanted")),
                                                       .id = string_to_ObjectId("it")});
  EXPECT_EQ(orb.call(key).value, 8u) << "made for the request";
  EXPECT_EQ(orb.root->find_POA("wanted", true)->the_name(), "wanted");
  EXPECT_EQ(activator->asked, 2);
  orb.root->the_activator(nullptr);
}

}  // namespace takt::adapter
