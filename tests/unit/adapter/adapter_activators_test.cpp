// Adapters that are made when a request needs them, and requests that come meanwhile.
#include <gtest/gtest.h>

#include <future>
#include <stdexcept>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;
using namespace std::chrono_literals;
using PoaRef = CORBA::object_reference<POA>;

namespace {

// Runs the test's code.
class Maker : public virtual AdapterActivator {
 public:
  bool unknown_adapter(PoaRef parent, const std::string& name) override {
    ++asked;
    return make(parent, name);
  }
  std::function<bool(PoaRef, const std::string&)> make = [](PoaRef, const std::string&) { return false; };
  std::atomic<int> asked{0};
};

const ObjectId the_id = string_to_ObjectId("it");

struct AdapterActivators : testing::Test {
  AdapterActivators() { outer->the_activator(maker); }
  ~AdapterActivators() override { maker->make = nullptr; }
  CORBA::PolicyList persistent() const {
    return {orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT),
            orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID)};
  }
  // Makes the adapter and its object.
  PoaRef make(PoaRef parent, const std::string& name, CORBA::servant_reference<NumberServant> servant) const {
    auto made = parent->create_POA(name, orb.root->the_POAManager(), persistent());
    made->activate_object_with_id(the_id, std::move(servant));
    return made;
  }
  // The key of the object in the adapter with that path below `outer`.
  ObjectId key(std::initializer_list<std::string_view> below = {"inner"}) const {
    std::string path = adapter_path({"outer"});
    for (const auto name : below) path = append_to_path(path, name);
    return orb.core->adapter.tree().keys.make(
        {.adapter = Lookup::dynamic, .path = bytes_of(path), .id = the_id});
  }
  std::future<Answer> calling(ObjectId key, const char* operation = "number") {
    return std::async(std::launch::async, [this, key, operation] { return orb.call(key, operation); });
  }
  std::uint32_t call_local() {
    std::uint32_t number = 0;
    orb.core->adapter.call_local(NumberServant::local_number, &number, key());
    return number;
  }

  Adapters orb;
  CORBA::object_reference<POAManager> manager =
      orb.root->the_POAManagerFactory()->create_POAManager("outer's", {});
  PoaRef outer = (manager->activate(), orb.root->create_POA("outer", manager, persistent()));
  CORBA::object_reference<Maker> maker = CORBA::make_reference<Maker>();
  std::promise<void> entered, go_on;
};

}  // namespace

// CORBA 3.0.3, 11.3.3.
TEST_F(AdapterActivators, FinishTheirAdapterBeforeItTakesRequests) {
  maker->make = [&](PoaRef parent, const std::string& name) {
    const auto made = parent->create_POA(name, orb.root->the_POAManager(), persistent());
    const auto below = made->create_POA("below", orb.root->the_POAManager(), persistent());
    entered.set_value();
    go_on.get_future().wait();
    made->activate_object_with_id(the_id, number_servant(5));
    below->activate_object_with_id(the_id, number_servant(6));
    return true;
  };
  auto first = calling(key());
  entered.get_future().wait();
  auto second = calling(key()), to_child = calling(key({"inner", "below"}));
  auto found = std::async(std::launch::async, [&] { return outer->find_POA("inner", true); });
  auto local = std::async(std::launch::async, [&] { return call_local(); });
  EXPECT_EQ(second.wait_for(20ms), std::future_status::timeout);
  EXPECT_EQ(to_child.wait_for(0ms), std::future_status::timeout);
  EXPECT_EQ(found.wait_for(0ms), std::future_status::timeout);
  EXPECT_EQ(local.wait_for(0ms), std::future_status::timeout);
  go_on.set_value();
  EXPECT_EQ(first.get().value, 5u);
  EXPECT_EQ(second.get().value, 5u);
  EXPECT_EQ(to_child.get().value, 6u);
  EXPECT_EQ(found.get()->the_name(), "inner");
  EXPECT_EQ(local.get(), 5u);
  EXPECT_EQ(maker->asked, 1);
}

TEST_F(AdapterActivators, MayCallTheObjectsThatTheyMake) {
  std::uint32_t own = 0;
  maker->make = [&](PoaRef parent, const std::string& name) {
    make(parent, name, number_servant(5));
    own = call_local();
    EXPECT_EQ(parent->find_POA(name, true)->the_name(), name) << "without asking again";
    return true;
  };
  EXPECT_EQ(orb.call(key()).value, 5u);
  EXPECT_EQ(own, 5u);
  EXPECT_EQ(maker->asked, 1);
}

// Also where the activator of the half-made adapter makes the rest.
TEST_F(AdapterActivators, FinishTheirAdapterBeforeItsOwnActivatorIsAsked) {
  const auto below = CORBA::make_reference<Maker>();
  below->make = [&](PoaRef parent, const std::string& name) {
    make(parent, name, number_servant(6));
    return true;
  };
  maker->make = [&](PoaRef parent, const std::string& name) {
    const auto made = make(parent, name, number_servant(5));
    made->the_activator(below);
    made->find_POA("mine", true);
    entered.set_value();
    go_on.get_future().wait();
    return true;
  };
  auto first = calling(key());
  entered.get_future().wait();
  auto to_mine = calling(key({"inner", "mine"})), to_other = calling(key({"inner", "other"}));
  EXPECT_EQ(to_mine.wait_for(20ms), std::future_status::timeout);
  EXPECT_EQ(to_other.wait_for(0ms), std::future_status::timeout);
  EXPECT_EQ(below->asked, 1);
  go_on.set_value();
  EXPECT_EQ(first.get().value, 5u);
  EXPECT_EQ(to_mine.get().value, 6u);
  EXPECT_EQ(to_other.get().value, 6u);
  below->make = nullptr;
}

TEST_F(AdapterActivators, DoNotWaitForThemselves) {
  auto answer = std::chrono::steady_clock::duration::max();
  maker->make = [&](PoaRef parent, const std::string& name) {
    const auto manager = orb.root->the_POAManagerFactory()->create_POAManager("inner's", {});
    manager->discard_requests(false);
    parent->create_POA(name, manager, persistent())->activate_object_with_id(the_id, number_servant(5));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_THROW(call_local(), CORBA::TRANSIENT);
    answer = std::chrono::steady_clock::now() - begin;
    manager->activate();
    return true;
  };
  EXPECT_EQ(orb.call(key()).value, 5u);
  EXPECT_LT(answer, orb.core->server.options.hold_timeout.get());
}

TEST_F(AdapterActivators, LetRequestsGiveUpAfterTheirTime) {
  maker->make = [&](PoaRef parent, const std::string& name) {
    make(parent, name, number_servant(5));
    orb.core->server.options.hold_timeout = 1ms;
    EXPECT_TRUE(calling(key()).get().is("TRANSIENT"));
    return true;
  };
  EXPECT_EQ(orb.call(key()).value, 5u);
}

TEST_F(AdapterActivators, AreAskedOnceTheOldAdapterIsGone) {
  std::uint32_t generation = 0;
  maker->make = [&](PoaRef parent, const std::string& name) {
    make(parent, name, number_servant(++generation, [&] {
           entered.set_value();
           go_on.get_future().wait();
         }));
    return true;
  };
  const auto inner = outer->find_POA("inner", true);
  auto running = calling(key(), "run");
  entered.get_future().wait();
  inner->destroy(true, false);
  auto next = calling(key());
  EXPECT_EQ(next.wait_for(20ms), std::future_status::timeout);
  go_on.set_value();
  EXPECT_EQ(running.get().status, Answer::result);
  EXPECT_EQ(next.get().value, 2u);
}

// The old adapter is there until its objects are etherealized.
TEST_F(AdapterActivators, MakeTheNextAdapterForRequestsThatTheOldOneDoesNotServeAnyMore) {
  struct Etherealizing final : virtual ServantActivator {
    CORBA::servant_reference<Servant> incarnate(const ObjectId&, PoaRef) override {
      ADD_FAILURE() << "the adapter is being destroyed";
      return number_servant(1);
    }
    void etherealize(const ObjectId&, PoaRef, CORBA::servant_reference<Servant>, bool, bool) override {
      entered.set_value();
      go_on.get_future().wait();
    }
    std::promise<void> entered, go_on;
  };
  auto policies = persistent();
  policies.push_back(
      orb.root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
  const auto old = outer->create_POA("inner", orb.root->the_POAManager(), policies);
  const auto etherealizing = CORBA::make_reference<Etherealizing>();
  old->set_servant_manager(etherealizing);
  old->activate_object_with_id(the_id, number_servant(1));
  maker->make = [&](const PoaRef& parent, const std::string& name) {
    make(parent, name, number_servant(2));
    return true;
  };
  auto destroying = std::async(std::launch::async, [&] { old->destroy(true, true); });
  etherealizing->entered.get_future().wait();
  auto call = calling(key());
  EXPECT_EQ(call.wait_for(20ms), std::future_status::timeout);
  etherealizing->go_on.set_value();
  EXPECT_EQ(call.get().value, 2u);
  destroying.get();
}

// It would wait for itself.
TEST_F(AdapterActivators, AreNotAwaitedByAnUpcallOfTheOldAdapter) {
  Answer answer;
  maker->make = [&](PoaRef parent, const std::string& name) {
    make(parent, name, number_servant(1, [&] {
           outer->find_POA("inner", false)->destroy(true, false);
           answer = orb.call(key());
         }));
    return true;
  };
  EXPECT_EQ(orb.call(key(), "run").status, Answer::result);
  EXPECT_TRUE(answer.is("TRANSIENT"));
}

// 11.3.2.1.
TEST_F(AdapterActivators, AreNotAskedUnlessTheManagerOfTheirAdapterIsActive) {
  manager->discard_requests(false);
  EXPECT_TRUE(orb.call(key()).is("TRANSIENT"));
  manager->hold_requests(false);
  auto held = calling(key());
  EXPECT_EQ(held.wait_for(20ms), std::future_status::timeout);
  EXPECT_EQ(maker->asked, 0);
  manager->activate();
  EXPECT_TRUE(held.get().is("OBJECT_NOT_EXIST"));
  EXPECT_EQ(maker->asked, 1);
  manager->deactivate(false, false);
  EXPECT_TRUE(orb.call(key()).is("OBJ_ADAPTER"));
  EXPECT_EQ(maker->asked, 1);
}

// A client that locates an object before it calls it, as omniORB's, must not be told that there is none.
TEST_F(AdapterActivators, CountForRequestsThatLocateTheObject) {
  using Status = reference::LocateAnswer::Status;
  auto& adapter = orb.core->adapter;
  EXPECT_EQ(adapter.locate(key()).status, Status::here);
  EXPECT_EQ(adapter.locate(key({"inner", "below"})).status, Status::here);
  EXPECT_EQ(maker->asked, 0);
  outer->the_activator(nullptr);
  EXPECT_EQ(adapter.locate(key()).status, Status::unknown);
}

TEST_F(AdapterActivators, ThrowToLocalCallersWhatRemoteOnesGet) {
  maker->make = [](PoaRef, const std::string&) -> bool { throw std::runtime_error("broken"); };
  EXPECT_TRUE(orb.call(key()).is("UNKNOWN"));
  EXPECT_THROW(call_local(), CORBA::UNKNOWN);
}

}  // namespace takt::adapter
