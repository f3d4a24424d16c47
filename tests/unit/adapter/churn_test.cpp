// Concurrent activation, deactivation and requests: no request reaches a wrong servant, none is lost, and no
// servant is destroyed during an upcall. Also for ThreadSanitizer.
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

#include "adapters.h"

namespace takt::adapter {

using namespace PortableServer;

class WatchedServant : public NumberServant {
 public:
  explicit WatchedServant(std::uint32_t number) : NumberServant(number) {}
  ~WatchedServant() override { EXPECT_EQ(inside_, 0); }
  bool _dispatch(server::ServerCall& call) override {
    ++inside_;
    const bool known = NumberServant::_dispatch(call);
    --inside_;
    return known;
  }

 private:
  std::atomic<int> inside_{0};
};

// A key that one thread publishes for others.
class SharedKey {
 public:
  void set(ObjectId key) {
    std::lock_guard lock(mutex_);
    key_ = std::move(key);
  }
  ObjectId get() {
    std::lock_guard lock(mutex_);
    return key_;
  }

 private:
  std::mutex mutex_;
  ObjectId key_;
};

// Objects 0 to 63 are activated and deactivated; callers find the key of each here.
struct Churn {
  static constexpr std::uint32_t objects = 64;

  explicit Churn(const CORBA::PolicyList& (*policies)(Adapters&)) : poa(orb.child("churn", policies(orb))) {}

  void run(const std::function<void(std::uint32_t)>& come_and_go) {
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(t);
        for (int i = 0; i < rounds || reached < rounds; ++i) come_and_go(random() % (objects / 2) * 2 + t);
        ++writers_done;
      });
    for (std::uint32_t t = 0; t < 2; ++t)
      threads.emplace_back([&, t] {
        std::mt19937 random(100 + t);
        while (writers_done < 2) call(random() % objects);
      });
    for (auto& thread : threads) thread.join();
  }
  void call(std::uint32_t number) {
    const auto key = keys[number].get();
    if (key.empty()) return;
    const Answer answer = orb.call(key);
    if (answer.status == Answer::result) {
      ++reached;
      EXPECT_EQ(answer.value, number);
    } else {
      EXPECT_TRUE(answer.is("OBJECT_NOT_EXIST")) << answer.exception;
    }
  }

  static constexpr int rounds = 10000;
  Adapters orb;
  CORBA::object_reference<POA> poa;
  std::array<SharedKey, objects> keys;
  std::atomic<int> writers_done{0};
  std::atomic<long> reached{0};
};

const CORBA::PolicyList& no_policies(Adapters&) {
  static const CORBA::PolicyList none;
  return none;
}

const CORBA::PolicyList& user_ids(Adapters& orb) {
  static CORBA::PolicyList list;
  list = {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
          orb.root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT)};
  return list;
}

TEST(Churn, OfObjectsThatTheirSlotsName) {
  Churn churn(no_policies);
  std::array<ObjectId, Churn::objects> ids;
  churn.run([&](std::uint32_t number) {
    if (ids[number].empty()) {
      ids[number] = churn.poa->activate_object(CORBA::make_reference<WatchedServant>(number));
      churn.keys[number].set(key_of(churn.poa->id_to_reference(ids[number])));
    } else {
      churn.poa->deactivate_object(ids[number]);  // makes the key stale
      ids[number].clear();
    }
  });
}

void churn_user_ids(const CORBA::PolicyList& (*policies)(Adapters&)) {
  Churn churn(policies);
  std::array<bool, Churn::objects> active{};
  for (std::uint32_t number = 0; number < Churn::objects; ++number)
    churn.keys[number].set(key_of(churn.poa->create_reference_with_id(
        string_to_ObjectId(std::to_string(number)), "IDL:Test/Number:1.0")));
  churn.run([&](std::uint32_t number) {
    const auto id = string_to_ObjectId(std::to_string(number));
    if (active[number])
      churn.poa->deactivate_object(id);
    else
      churn.poa->activate_object_with_id(id, CORBA::make_reference<WatchedServant>(number));
    active[number] = !active[number];
  });
}

TEST(Churn, OfPersistentObjectsThatAreFoundByHashing) { churn_user_ids(user_ids); }

// Reactivated transient objects, whose keys then have a wrong hint.
template <Lookup Adapter, Lookup Servant>
const CORBA::PolicyList& looked_up(Adapters& orb) {
  static CORBA::PolicyList list;
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < Churn::objects; ++i) names.push_back(std::to_string(i));
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string path = adapter_path({"churn"});
  const std::string_view paths[] = {path};
  LookupStrategies strategies;
  strategies.adapter = Adapter;
  strategies.servant = Servant;
  strategies.adapters = make_id_table(paths);
  strategies.servants = make_id_table(views);
  list = {orb.root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID),
          create_lookup_policy(strategies)};
  return list;
}

TEST(Churn, OfDelayeredObjects) { churn_user_ids(looked_up<Lookup::delayered, Lookup::delayered>); }
TEST(Churn, OfObjectsThatAreFoundLinearly) { churn_user_ids(looked_up<Lookup::linear, Lookup::linear>); }
TEST(Churn, OfObjectsThatAreFoundPerfectly) { churn_user_ids(looked_up<Lookup::perfect, Lookup::perfect>); }
TEST(Churn, OfObjectsThatAreFoundActively) { churn_user_ids(looked_up<Lookup::active, Lookup::active>); }

// An object that is always active is always found, whatever happens to others.
TEST(Churn, LosesNobodyElse) {
  Adapters orb;
  const auto poa = orb.child("churn", user_ids(orb));
  poa->activate_object_with_id(string_to_ObjectId("stays"), number_servant(1));
  const auto key = key_of(poa->id_to_reference(string_to_ObjectId("stays")));
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (int i = 0; i < 20000; ++i) {
      const auto id = string_to_ObjectId(std::to_string(i % 200));
      poa->activate_object_with_id(id, number_servant(2));
      if (i % 200 > 100) poa->deactivate_object(id);
      if (i % 200 == 199)
        for (int k = 0; k <= 100; ++k) poa->deactivate_object(string_to_ObjectId(std::to_string(k)));
    }
    done = true;
  });
  long lost = 0;
  while (!done) lost += orb.call(key).value != 1;
  writer.join();
  EXPECT_EQ(lost, 0);
}

// Adapters are created and destroyed during calls.
TEST(Churn, OfWholeAdapters) {
  Adapters orb;
  SharedKey key;
  std::atomic<bool> done{false};
  std::vector<std::thread> callers;
  for (int t = 0; t < 2; ++t)
    callers.emplace_back([&] {
      while (!done) {
        const auto present = key.get();
        if (present.empty()) continue;
        const Answer answer = orb.call(present);
        EXPECT_TRUE(answer.value == 5 || answer.is("OBJECT_NOT_EXIST")) << answer.exception;
      }
    });
  for (int i = 0; i < 500; ++i) {
    const auto poa = orb.child("comes and goes", {});
    for (int k = 0; k < 10; ++k)
      key.set(key_of(poa->id_to_reference(poa->activate_object(CORBA::make_reference<WatchedServant>(5)))));
    poa->destroy(true, true);
  }
  done = true;
  for (auto& caller : callers) caller.join();
}

}  // namespace takt::adapter
