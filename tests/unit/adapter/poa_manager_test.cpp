#include <gtest/gtest.h>

#include <future>

#include "../../eventually.h"
#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;
using namespace std::chrono_literals;
using takt::test::eventually;
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

// 11.3.2.1: they have not begun.
TEST(PoaManager, StopsRequestsThatWaitForTheirTurn) {
  Adapters orb;
  const auto manager = orb.root->the_POAManager();
  const auto poa =
      orb.child("single", {orb.root->create_thread_policy(ThreadPolicyValue::SINGLE_THREAD_MODEL)});
  std::promise<void> entered, go_on;
  std::atomic<int> runs{0};
  const auto reference = poa->id_to_reference(poa->activate_object(number_servant(4, [&] {
    if (++runs > 1) return;
    entered.set_value();
    go_on.get_future().wait();
  })));
  auto first = std::async(std::launch::async, [&] { return orb.call(reference, "run"); });
  entered.get_future().wait();
  auto second = std::async(std::launch::async, [&] { return orb.call(reference, "run"); });
  EXPECT_EQ(second.wait_for(20ms), std::future_status::timeout);
  manager->hold_requests(false);
  go_on.set_value();
  EXPECT_EQ(first.get().status, Answer::result);
  EXPECT_EQ(second.wait_for(20ms), std::future_status::timeout);
  EXPECT_EQ(runs, 1);
  manager->activate();
  EXPECT_EQ(second.get().status, Answer::result);
  EXPECT_EQ(runs, 2);
}

// Other requests of the ORB end meanwhile, and make the waiting thread look.
TEST(PoaManager, WaitsForEtherealizationsInOtherThreads) {
  class Slow : public virtual ServantActivator {
   public:
    explicit Slow(std::function<void()> body) : servant(number_servant(1, std::move(body))) {}
    CORBA::servant_reference<Servant> incarnate(const ObjectId&, CORBA::object_reference<POA>) override {
      return servant;
    }
    void etherealize(const ObjectId&, CORBA::object_reference<POA>, CORBA::servant_reference<Servant>, bool,
                     bool) override {
      entered.set_value();
      go_on.get_future().wait();
      done = true;
    }
    const CORBA::servant_reference<NumberServant> servant;
    std::promise<void> entered, go_on;
    std::atomic<bool> done{false};
  };
  Adapters orb;
  const auto manager = orb.root->the_POAManagerFactory()->create_POAManager("lazy", {});
  const auto poa = orb.root->create_POA(
      "lazy", manager,
      {orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER)});
  manager->activate();
  std::promise<void> entered, go_on;
  const auto slow = CORBA::make_reference<Slow>([&] {
    entered.set_value();
    go_on.get_future().wait();
  });
  poa->set_servant_manager(slow);
  const auto id = poa->reference_to_id(poa->create_reference("IDL:Test/Number:1.0"));
  orb.call(poa->create_reference_with_id(id, "IDL:Test/Number:1.0"));
  const auto reference = poa->id_to_reference(id);  // leads to the object without entering the adapter
  auto call = std::async(std::launch::async, [&] { return orb.call(reference, "run"); });
  entered.get_future().wait();
  auto waiting = std::async(std::launch::async, [&] {
    manager->deactivate(true, true);
    return slow->done.load();
  });
  EXPECT_TRUE(eventually([&] { return orb.core->adapter.table().waiting() != 0; }));
  go_on.set_value();
  slow->entered.get_future().wait();
  orb.call(orb.root->servant_to_reference(number_servant(2)));
  EXPECT_EQ(waiting.wait_for(20ms), std::future_status::timeout);
  slow->go_on.set_value();
  EXPECT_TRUE(waiting.get());
  call.get();
}

TEST(PoaManager, OfAnotherOrbIsRefused) {
  Adapters orb, other;
  EXPECT_THROW(orb.root->create_POA("child", other.root->the_POAManager(), {}), CORBA::BAD_PARAM);
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
