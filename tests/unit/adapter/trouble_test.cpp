// Servant managers that block, throw or destroy, and objects that are deactivated during calls.
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;
using namespace std::chrono_literals;

namespace {

// Each function runs the test's code.
class Activator : public virtual ServantActivator {
 public:
  CORBA::servant_reference<Servant> incarnate(const ObjectId& id, CORBA::object_reference<POA> poa) override {
    return on_incarnate(id, poa);
  }
  void etherealize(const ObjectId& id, CORBA::object_reference<POA> poa,
                   CORBA::servant_reference<Servant> servant, bool, bool) override {
    ++etherealized;
    if (on_etherealize) on_etherealize(id, poa);
    servant.reset();
  }
  std::function<CORBA::servant_reference<Servant>(const ObjectId&, CORBA::object_reference<POA>)>
      on_incarnate = [](const ObjectId&, auto) { return number_servant(1); };
  std::function<void(const ObjectId&, CORBA::object_reference<POA>)> on_etherealize;
  std::atomic<int> etherealized{0};
};

struct Trouble : testing::Test {
  explicit Trouble(ThreadPolicyValue thread = ThreadPolicyValue::ORB_CTRL_MODEL)
      : poa(orb.child("lazy", {orb.root->create_thread_policy(thread),
                               orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
                               orb.root->create_request_processing_policy(
                                   RequestProcessingPolicyValue::USE_SERVANT_MANAGER)})) {
    poa->set_servant_manager(activator);
  }
  Reference reference_to(const std::string& name) {
    return poa->create_reference_with_id(string_to_ObjectId(name), "IDL:Test/Number:1.0");
  }
  Adapters orb;
  const CORBA::object_reference<POA> poa;
  CORBA::object_reference<Activator> activator = CORBA::make_reference<Activator>();
};

}  // namespace

TEST_F(Trouble, AnActivatorThatBlocksHoldsNobodyElse) {
  std::promise<void> entered, go_on;
  activator->on_incarnate = [&](const ObjectId&, auto) {
    entered.set_value();
    go_on.get_future().wait();
    return number_servant(5);
  };
  const auto active = orb.root->servant_to_reference(number_servant(2));
  const auto sibling = orb.child("sibling", {});
  auto blocked = std::async(std::launch::async, [&] { return orb.call(reference_to("slow")); });
  entered.get_future().wait();
  EXPECT_EQ(orb.call(active).value, 2u);
  poa->activate_object_with_id(string_to_ObjectId("here"), number_servant(3));
  EXPECT_EQ(orb.call(reference_to("here")).value, 3u) << "an active object of the same adapter";
  EXPECT_EQ(orb.call(sibling->id_to_reference(sibling->activate_object(number_servant(4)))).value, 4u);
  go_on.set_value();
  EXPECT_EQ(blocked.get().value, 5u);
}

TEST_F(Trouble, WhateverAnActivatorThrowsGoesToTheCallerOnly) {
  activator->on_incarnate = [](const ObjectId& id, auto) -> CORBA::servant_reference<Servant> {
    if (id.size() == 1) throw 7;
    if (id.size() == 2) throw std::runtime_error("broken");
    throw CORBA::TRANSIENT(CORBA::omg_minor(3), CORBA::COMPLETED_NO);
  };
  EXPECT_TRUE(orb.call(reference_to("1")).is("UNKNOWN"));
  EXPECT_TRUE(orb.call(reference_to("22")).is("UNKNOWN"));
  EXPECT_TRUE(orb.call(reference_to("333")).is("TRANSIENT"));
  activator->on_incarnate = [](const ObjectId&, auto) { return number_servant(6); };
  EXPECT_EQ(orb.call(reference_to("1")).value, 6u) << "and the next attempt may succeed";
}

TEST_F(Trouble, AnActivatorMayActivateTheObjectItself) {
  activator->on_incarnate = [](const ObjectId& id, CORBA::object_reference<POA> own) {
    const CORBA::servant_reference<Servant> servant = number_servant(8);
    own->activate_object_with_id(id, servant);
    return servant;
  };
  EXPECT_EQ(orb.call(reference_to("it")).value, 8u);
  EXPECT_EQ(orb.call(reference_to("it")).value, 8u);
}

TEST_F(Trouble, AnActivatorMayDestroyItsAdapter) {
  activator->on_incarnate = [](const ObjectId&, CORBA::object_reference<POA> own) {
    own->destroy(false, false);
    return number_servant(8);
  };
  EXPECT_TRUE(orb.call(reference_to("it")).is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(orb.root->the_children().empty());
}

// No new call enters a servant that is being etherealized, and the next servant is made only after that.
TEST_F(Trouble, CallsDuringEtherealizationGetTheNextServant) {
  std::promise<void> entered, go_on;
  std::atomic<int> incarnated{0};
  std::atomic<bool> first{true};
  activator->on_incarnate = [&](const ObjectId&, auto) {
    return number_servant(static_cast<std::uint32_t>(++incarnated));
  };
  activator->on_etherealize = [&](const ObjectId&, auto) {
    if (!first.exchange(false)) return;
    EXPECT_EQ(incarnated, 1);
    entered.set_value();
    go_on.get_future().wait();
  };
  EXPECT_EQ(orb.call(reference_to("it")).value, 1u);
  auto leaving = std::async(std::launch::async, [&] { poa->deactivate_object(string_to_ObjectId("it")); });
  entered.get_future().wait();
  auto next = std::async(std::launch::async, [&] { return orb.call(reference_to("it")); });
  EXPECT_EQ(next.wait_for(20ms), std::future_status::timeout);
  EXPECT_THROW(poa->deactivate_object(string_to_ObjectId("it")), POA::ObjectNotActive);
  EXPECT_THROW(poa->id_to_servant(string_to_ObjectId("it")), POA::ObjectNotActive);
  go_on.set_value();
  EXPECT_EQ(next.get().value, 2u);
  leaving.get();
  // The objects that it used are destroyed before the adapter.
  activator->on_etherealize = [](const ObjectId&, auto) {};
}

TEST_F(Trouble, EtherealizingWaitsForTheUpcall) {
  std::promise<void> entered, go_on;
  activator->on_incarnate = [&](const ObjectId&, auto) {
    return number_servant(1, [&] {
      entered.set_value();
      go_on.get_future().wait();
    });
  };
  auto call = std::async(std::launch::async, [&] { return orb.call(reference_to("it"), "run"); });
  entered.get_future().wait();
  poa->deactivate_object(string_to_ObjectId("it"));
  EXPECT_EQ(activator->etherealized, 0);
  auto destroying = std::async(std::launch::async, [&] { poa->destroy(true, true); });
  EXPECT_EQ(destroying.wait_for(20ms), std::future_status::timeout);
  go_on.set_value();
  EXPECT_EQ(call.get().status, Answer::result);
  destroying.get();
  EXPECT_EQ(activator->etherealized, 1);
}

struct SingleThreadTrouble : Trouble {
  SingleThreadTrouble() : Trouble(ThreadPolicyValue::SINGLE_THREAD_MODEL) {
    activator->on_incarnate = [this](const ObjectId&, auto) {
      return number_servant(1, [this] {
        entered.set_value();
        go_on.get_future().wait();
      });
    };
  }
  // An upcall that goes on until go_on is set.
  std::future<Answer> enter() {
    auto call = std::async(std::launch::async, [&] { return orb.call(reference_to("it"), "run"); });
    entered.get_future().wait();
    return call;
  }
  std::promise<void> entered, go_on;
};

TEST_F(SingleThreadTrouble, EtherealizingWaitsForAnUpcallOnAnotherObjectAndItsCallerDoesNot) {
  EXPECT_EQ(orb.call(reference_to("another")).value, 1u);
  auto call = enter();
  poa->deactivate_object(string_to_ObjectId("another"));
  EXPECT_EQ(activator->etherealized, 0);
  go_on.set_value();
  EXPECT_EQ(call.get().status, Answer::result);
  EXPECT_EQ(activator->etherealized, 1);
}

TEST_F(SingleThreadTrouble, ARequestFindsTheNextServantOfAnObjectThatIsLeftToItsTurn) {
  EXPECT_EQ(orb.call(reference_to("another")).value, 1u);
  auto call = enter();
  auto next = std::async(std::launch::async, [&] { return orb.call(reference_to("another")); });
  EXPECT_EQ(next.wait_for(20ms), std::future_status::timeout) << "it waits for the turn";
  poa->deactivate_object(string_to_ObjectId("another"));
  go_on.set_value();
  EXPECT_EQ(next.get().value, 1u);
  EXPECT_EQ(call.get().status, Answer::result);
  EXPECT_EQ(activator->etherealized, 1);
}

TEST_F(SingleThreadTrouble, EtherealizingMayCallTheAdapterWhileARequestIncarnates) {
  EXPECT_EQ(orb.call(reference_to("first")).value, 1u);
  activator->on_etherealize = [&](const ObjectId&, auto) {
    entered.set_value();
    go_on.get_future().wait();
    EXPECT_EQ(orb.call(reference_to("second")).value, 1u);
  };
  auto leaving = std::async(std::launch::async, [&] { poa->deactivate_object(string_to_ObjectId("first")); });
  entered.get_future().wait();
  auto third = std::async(std::launch::async, [&] { return orb.call(reference_to("third")); });
  EXPECT_EQ(third.wait_for(20ms), std::future_status::timeout) << "one at a time";
  go_on.set_value();
  leaving.get();
  EXPECT_EQ(third.get().value, 1u);
  activator->on_etherealize = nullptr;
}

TEST_F(Trouble, AServantMayDestroyItsAdaptersParentFromInside) {
  const auto child = poa->create_POA("child", orb.root->the_POAManager(), {});
  const auto grandchild = child->create_POA("grandchild", orb.root->the_POAManager(), {});
  bool gone = false;
  auto servant = number_servant(1, [&] {
    poa->destroy(true, false);
    EXPECT_THROW(poa->destroy(true, true), CORBA::BAD_INV_ORDER);
    EXPECT_FALSE(gone);
    EXPECT_EQ(orb.root->the_children().size(), 1u) << "until the upcall is over";
  });
  servant->gone = &gone;
  const auto reference = grandchild->id_to_reference(grandchild->activate_object(servant));
  servant = nullptr;
  EXPECT_EQ(orb.call(reference, "run").status, Answer::result);
  EXPECT_TRUE(gone);
  EXPECT_TRUE(orb.root->the_children().empty());
}

TEST_F(Trouble, EtherealizingMayDestroyTheAdapter) {
  activator->on_etherealize = [](const ObjectId&, CORBA::object_reference<POA> own) {
    own->destroy(true, false);
  };
  orb.call(reference_to("it"));
  orb.call(reference_to("another"));
  poa->deactivate_object(string_to_ObjectId("it"));
  EXPECT_EQ(activator->etherealized, 2);
  EXPECT_TRUE(orb.root->the_children().empty());
}

namespace {

class Locator : public virtual ServantLocator {
 public:
  CORBA::servant_reference<Servant> preinvoke(const ObjectId& id, CORBA::object_reference<POA>,
                                              const std::string&, Cookie&) override {
    if (ObjectId_to_string(id) == "elsewhere") throw ForwardRequest(elsewhere);
    if (ObjectId_to_string(id) == "broken") throw CORBA::NO_MEMORY(2, CORBA::COMPLETED_NO);
    if (on_preinvoke) on_preinvoke();
    return number_servant(3);
  }
  void postinvoke(const ObjectId&, CORBA::object_reference<POA>, const std::string&, Cookie,
                  CORBA::servant_reference<Servant>) override {
    ++told;
    throw CORBA::INTERNAL();
  }
  Reference elsewhere;
  std::function<void()> on_preinvoke;
  int told = 0;
};

CORBA::object_reference<POA> located(Adapters& orb) {
  return orb.child(
      "located",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
}

}  // namespace

TEST_F(Trouble, ALocatorWaitsForAnIdThatIsEtherealizedElsewhere) {
  const auto poa_of_locator = located(orb);
  const auto locator = CORBA::make_reference<Locator>();
  poa_of_locator->set_servant_manager(locator);
  const ObjectId id = string_to_ObjectId("it");
  std::promise<void> etherealizing, go_on, activates;
  activator->on_etherealize = [&](const ObjectId&, auto) {
    etherealizing.set_value();
    go_on.get_future().wait();
  };
  locator->on_preinvoke = [&] {
    activates.set_value();
    poa->activate_object_with_id(id, number_servant(4));
  };
  orb.call(reference_to("it"));
  auto leaving = std::async(std::launch::async, [&] { poa->deactivate_object(id); });
  etherealizing.get_future().wait();
  auto call = std::async(std::launch::async, [&] {
    return orb.call(poa_of_locator->create_reference_with_id(id, "IDL:Test/Number:1.0"));
  });
  activates.get_future().wait();
  EXPECT_EQ(call.wait_for(20ms), std::future_status::timeout);
  go_on.set_value();
  leaving.get();
  EXPECT_TRUE(call.get().is("INTERNAL")) << "of postinvoke";
  EXPECT_EQ(orb.call(reference_to("it")).value, 4u);
  activator->on_etherealize = nullptr;
}

// Another etherealization may wait for the manager that is consulted here.
TEST_F(Trouble, AnActivatorDoesNotWaitForAnIdThatIsEtherealized) {
  const auto other = orb.child(
      "other",
      {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
       orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  const auto others = CORBA::make_reference<Activator>();
  other->set_servant_manager(others);
  const ObjectId id = string_to_ObjectId("it");
  std::promise<void> etherealizing, go_on;
  activator->on_etherealize = [&](const ObjectId&, auto) {
    etherealizing.set_value();
    go_on.get_future().wait();
  };
  others->on_incarnate = [&](const ObjectId&, auto) {
    EXPECT_THROW(poa->activate_object_with_id(id, number_servant(4)), POA::ObjectAlreadyActive);
    return number_servant(5);
  };
  orb.call(reference_to("it"));
  auto leaving = std::async(std::launch::async, [&] { poa->deactivate_object(id); });
  etherealizing.get_future().wait();
  EXPECT_EQ(orb.call(other->create_reference_with_id(id, "IDL:Test/Number:1.0")).value, 5u);
  go_on.set_value();
  leaving.get();
  activator->on_etherealize = nullptr;
}

TEST(LocatorTrouble, ThrowsForwardsAndIsToldOnlyOfWhatItGave) {
  Adapters orb;
  const auto poa = located(orb);
  const auto locator = CORBA::make_reference<Locator>();
  locator->elsewhere = orb.root->servant_to_reference(number_servant(6));
  poa->set_servant_manager(locator);
  const auto call = [&](const char* id) {
    return orb.call(poa->create_reference_with_id(string_to_ObjectId(id), "IDL:Test/Number:1.0"));
  };
  EXPECT_TRUE(call("broken").is("NO_MEMORY"));
  EXPECT_EQ(call("elsewhere").status, Answer::forward);
  EXPECT_EQ(locator->told, 0);
  EXPECT_TRUE(call("it").is("INTERNAL")) << "postinvoke is part of the request: CORBA 3.0.3, 11.3.6";
  EXPECT_EQ(locator->told, 1);
  locator->elsewhere = nullptr;
  EXPECT_TRUE(call("elsewhere").is("OBJ_ADAPTER")) << "to nowhere";
}

TEST(LocatorTrouble, ThrowsToLocalCallersWhatRemoteOnesGet) {
  Adapters orb;
  const auto poa = located(orb);
  const auto locator = CORBA::make_reference<Locator>();
  poa->set_servant_manager(locator);
  const auto call = [&] {
    std::uint32_t number = 0;
    const auto reference = poa->create_reference_with_id(string_to_ObjectId("it"), "IDL:Test/Number:1.0");
    orb.core->adapter.call_local(NumberServant::local_number, &number, key_of(reference));
  };
  EXPECT_THROW(call(), CORBA::INTERNAL) << "of postinvoke";
  locator->on_preinvoke = [] { throw 7; };
  EXPECT_THROW(call(), CORBA::UNKNOWN);
  locator->on_preinvoke = [] { throw POA::NoServant(); };
  EXPECT_THROW(call(), CORBA::UNKNOWN);
  EXPECT_EQ(locator->told, 1);
}

class ThrowingActivator : public virtual AdapterActivator {
 public:
  bool unknown_adapter(CORBA::object_reference<POA> parent, const std::string& name) override {
    if (name == "throws") throw CORBA::NO_RESOURCES(1, CORBA::COMPLETED_NO);
    if (name == "destroys") parent->destroy(false, false);
    return name != "refused";  // claims to have made one, but has not
  }
};

TEST(UnknownAdapters, GiveTheStandardsException) {
  Adapters orb;
  const auto outer = orb.child("outer", {orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)});
  outer->the_activator(CORBA::make_reference<ThrowingActivator>());
  const auto call = [&](const char* name) {
    const std::string path = adapter_path({"outer", name});
    return orb.call(orb.core->adapter.tree().keys.make({.adapter = Lookup::dynamic, .path = bytes_of(path)}));
  };
  EXPECT_TRUE(call("throws").is("OBJ_ADAPTER")) << "CORBA 3.0.3, 11.3.9.3";
  EXPECT_TRUE(call("refused").is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(call("pretends").is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(call("destroys").is("OBJECT_NOT_EXIST"));
  EXPECT_TRUE(call("nobody is left to be asked").is("OBJECT_NOT_EXIST"));
}

}  // namespace takt::adapter
