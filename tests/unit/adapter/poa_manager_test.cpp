#include <gtest/gtest.h>

#include <future>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;
using namespace std::chrono_literals;
using State = POAManager::State;

TEST(PoaManager, BeginsHolding) {
  Adapters orb(false);
  EXPECT_EQ(orb.root->the_POAManager()->get_state(), State::HOLDING);
  EXPECT_EQ(orb.root->the_POAManager(), orb.root->the_POAManager());
}

TEST(PoaManager, HeldRequestsGoOnOnceItIsActive) {
  Adapters orb(false);
  const auto reference = orb.root->servant_to_reference(number_servant(4));
  auto held = std::async(std::launch::async, [&] { return orb.call(reference); });
  orb.root->the_POAManager()->activate();
  EXPECT_EQ(held.get().value, 4u);
}

TEST(PoaManager, HeldRequestsGiveUpAfterTheirTime) {
  Adapters orb(false);
  orb.core->server.options.hold_timeout = 1ms;
  EXPECT_TRUE(orb.call(orb.root->servant_to_reference(number_servant(4))).is("TRANSIENT"));
}

TEST(PoaManager, OnlySoManyRequestsAreHeld) {
  Adapters orb(false);
  orb.core->server.options.hold_timeout = 1h;
  orb.core->adapter.tree().options.held_requests = 0;
  EXPECT_TRUE(orb.call(orb.root->servant_to_reference(number_servant(4))).is("TRANSIENT"));
}

TEST(PoaManager, HeldRequestsSeeTheirPoaGo) {
  Adapters orb(false);
  const auto reference = orb.root->servant_to_reference(number_servant(4));
  const auto manager = orb.root->the_POAManager();
  auto held = std::async(std::launch::async, [&] { return orb.call(reference); });
  orb.root->destroy(true, true);
  manager->activate();
  EXPECT_TRUE(held.get().is("OBJECT_NOT_EXIST"));
}

TEST(PoaManager, DiscardsAndRefuses) {
  Adapters orb;
  const auto manager = orb.root->the_POAManager();
  const auto reference = orb.root->servant_to_reference(number_servant(4));
  manager->discard_requests(true);
  const auto discarded = orb.call(reference);
  EXPECT_TRUE(discarded.is("TRANSIENT"));
  EXPECT_EQ(discarded.minor, CORBA::omg_minor(1));
  manager->deactivate(true, true);
  EXPECT_TRUE(orb.call(reference).is("OBJ_ADAPTER"));
  EXPECT_THROW(manager->activate(), POAManager::AdapterInactive);
  EXPECT_THROW(manager->hold_requests(false), POAManager::AdapterInactive);
  EXPECT_EQ(manager->get_state(), State::INACTIVE);
}

TEST(PoaManager, WaitingForCompletionWaits) {
  Adapters orb;
  const auto manager = orb.root->the_POAManager();
  std::promise<void> entered, go_on;
  std::atomic<bool> left{false};
  const auto reference = orb.root->servant_to_reference(number_servant(4, [&] {
    EXPECT_THROW(manager->hold_requests(true), CORBA::BAD_INV_ORDER);
    entered.set_value();
    go_on.get_future().wait();
    left = true;
  }));
  auto call = std::async(std::launch::async, [&] { return orb.call(reference, "run"); });
  entered.get_future().wait();
  auto waiting = std::async(std::launch::async, [&] {
    manager->discard_requests(true);
    return left.load();
  });
  go_on.set_value();
  EXPECT_TRUE(waiting.get());
  EXPECT_EQ(call.get().status, Answer::result);
}

TEST(PoaManager, AreMadeAndFoundByTheFactory) {
  Adapters orb;
  const auto factory = orb.root->the_POAManagerFactory();
  const auto made = factory->create_POAManager("mine", {});
  EXPECT_EQ(made->get_id(), "mine");
  EXPECT_THROW(factory->create_POAManager("mine", {}), POAManagerFactory::ManagerAlreadyExists);
  EXPECT_EQ(factory->find("mine"), made);
  EXPECT_FALSE(factory->find("other"));
  EXPECT_EQ(factory->list().size(), 2u);
  const auto poa = orb.root->create_POA("child", made, {});
  EXPECT_EQ(poa->the_POAManager(), made);
}

}  // namespace takt::adapter
