// Changes whose fate etcd leaves open, and instances that etcd does not serve well.
#include "naming_cluster/cluster/cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <optional>
#include <shared_mutex>
#include <thread>
#include <utility>
#include <vector>

#include "../../eventually.h"
#include "etcd_in_memory.h"

namespace takt::naming {
namespace {

using std::chrono::milliseconds;
using takt::test::eventually;
using Clock = etcd::Clock;
using Fate = etcd::EtcdInMemory::Fate;
using Action = Change::Action;

const std::string key("a\0", 2);

struct ClusterTest : testing::Test {
  struct Instance {
    explicit Instance(etcd::EtcdInMemory& etcd, milliseconds timeout = milliseconds(5000),
                      milliseconds staleness = {}) {
      auto started = Cluster::start(
          tree, mutex, etcd.http(),
          {.urls = {"http://127.0.0.1:1", "http://127.0.0.1:2"}, .staleness = staleness, .timeout = timeout});
      if (!started) throw std::runtime_error(started.error());
      cluster = std::move(*started);
    }
    Changes::Outcome made(Action action, std::string reference = {}) {
      return cluster->carry_out({.action = action,
                                 .context = root_context,
                                 .key = key,
                                 .binding = {.reference = std::move(reference)}});
    }
    // False if the tree has not become current enough within a time that is more than enough.
    bool becomes_current() {
      const auto deadline = Clock::now() + std::chrono::seconds(20);
      while (!cluster->current_enough()) {
        if (Clock::now() > deadline) return false;
        std::this_thread::yield();
      }
      return true;
    }
    // The reference that the name is bound to.
    std::string bound() {
      const std::shared_lock lock(mutex);
      const Binding* const found = tree.find(root_context, key);
      return found ? found->reference : std::string();
    }
    Tree tree;
    TreeMutex mutex;
    std::unique_ptr<Cluster> cluster;
  };

  // The next transaction that writes the key has that fate.
  void next(Fate fate, const std::string& written = "/in/") {
    pending_ = 1;
    etcd.fate = [this, fate, written](const std::vector<std::string>& keys) {
      for (const std::string& each : keys)
        if (each.find(written) != std::string::npos && pending_ > 0 && pending_--) return fate;
      return Fate::answered;
    };
  }
  // As another program does.
  void put(const std::string& key, const std::string& value) {
    ASSERT_TRUE(etcd.http()->post(
        "/v3/kv/txn",
        etcd::transaction_request(
            {.compares = {},
             .then = {{.key = key, .value = value}, {.key = "/takt/naming/last", .value = "x"}},
             .otherwise = {}}),
        milliseconds(1), 1));
  }
  etcd::EtcdInMemory etcd;

 private:
  int pending_ = 0;
};

TEST_F(ClusterTest, ALostAnswerIsFoundOut) {
  Instance one(etcd), two(etcd);
  next(Fate::lost_after);
  EXPECT_TRUE(one.made(Action::bind, "r")) << "it was carried out";
  EXPECT_EQ(one.bound(), "r");
  next(Fate::lost_before);
  EXPECT_TRUE(one.made(Action::rebind, "s")) << "it is made again";
  EXPECT_EQ(one.bound(), "s");
  next(Fate::lost_after);
  EXPECT_TRUE(one.made(Action::unbind));
  EXPECT_EQ(std::get<Refusal>(one.made(Action::unbind).error()), Refusal::missing_node);
  EXPECT_EQ(two.cluster->renew(), Changes::Renewal::renewed);
  EXPECT_EQ(two.bound(), "");
}

TEST_F(ClusterTest, AChangeIsOneTransaction) {
  Instance one(etcd);
  auto sent = [&, before = etcd.transactions()]() mutable {
    return etcd.transactions() - std::exchange(before, etcd.transactions());
  };
  EXPECT_TRUE(one.made(Action::bind, "r"));
  EXPECT_EQ(sent(), 1);
  EXPECT_TRUE(one.made(Action::rebind, "s"));
  EXPECT_EQ(sent(), 1);
  EXPECT_FALSE(one.made(Action::bind, "t"));
  EXPECT_EQ(sent(), 1) << "a refusal";
  EXPECT_TRUE(one.made(Action::unbind));
  EXPECT_EQ(sent(), 1);
}

TEST_F(ClusterTest, AChangeThatIsSentTwiceIsMadeOnce) {
  Instance one(etcd);
  const int before = etcd.transactions();
  next(Fate::sent_twice);
  EXPECT_TRUE(one.made(Action::bind, "r")) << "the name is bound by this very change";
  EXPECT_EQ(one.bound(), "r");
  next(Fate::sent_twice);
  EXPECT_TRUE(one.made(Action::rebind, "s"));
  next(Fate::sent_twice);
  EXPECT_TRUE(one.made(Action::unbind));
  EXPECT_EQ(etcd.transactions() - before, 3) << "one was made again";
  next(Fate::sent_twice, "/context/");
  const auto made = one.cluster->carry_out({.action = Action::create});
  ASSERT_TRUE(made);
  EXPECT_TRUE(one.tree.context(*made)) << "its id is not that of the context";
}

TEST_F(ClusterTest, AChangeThatIsSentTwiceStaysOpenIfTheWatchDoesNotShowIt) {
  Instance one(etcd, milliseconds(300));
  etcd.hold_watches(true);
  next(Fate::sent_twice);
  const auto outcome = one.made(Action::bind, "r");
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(std::get<StoreFault>(outcome.error()).maybe_done);
}

// Readings are answered from memory for `staleness`, but not before the instance's own change is there.
TEST_F(ClusterTest, AChangeThatTheWatchDoesNotBringIsNotOverlooked) {
  Instance one(etcd, milliseconds(300), std::chrono::hours(1));
  etcd.hold_watches(true);
  EXPECT_TRUE(one.made(Action::bind, "r")) << "etcd has it";
  EXPECT_EQ(one.bound(), "");
  EXPECT_FALSE(one.cluster->current_enough());
  etcd.hold_watches(false);
  ASSERT_TRUE(one.becomes_current());
  EXPECT_EQ(one.bound(), "r");
}

// A caller that has no time left says nothing of the watch.
TEST_F(ClusterTest, AWatchIsKeptForOneSecond) {
  Instance one(etcd, milliseconds(100));
  const auto begun = Clock::now();
  etcd.hold_watches(true);
  EXPECT_TRUE(one.made(Action::bind, "r")) << "etcd has it";
  EXPECT_FALSE(one.cluster->current_enough());
  etcd.hold_watches(false);
  EXPECT_TRUE(one.becomes_current());
  if (Clock::now() - begun < milliseconds(900)) {
    EXPECT_EQ(etcd.watches(), 1);
  }
}

TEST_F(ClusterTest, AProxyThatAnswersForTheWatchHasNoTreeReadAnew) {
  Instance one(etcd);
  const auto readings = one.cluster->figures()->readings;
  etcd.hide_watches(true);
  EXPECT_TRUE(eventually([&] { return etcd.watches() >= 4; }));
  EXPECT_EQ(one.cluster->figures()->readings, readings);
  etcd.hide_watches(false);
  EXPECT_TRUE(one.made(Action::bind, "r"));
  EXPECT_TRUE(one.becomes_current());
}

TEST_F(ClusterTest, TheFirstReadingMayTakeLongerThanAChange) {
  EXPECT_TRUE(Instance(etcd).made(Action::bind, "r"));
  etcd.delay_readings(milliseconds(300));
  Instance two(etcd, milliseconds(500));
  EXPECT_EQ(two.bound(), "r") << "etcd was read twice, for the format and for the tree";
  etcd.delay_readings({});
}

TEST_F(ClusterTest, ATreeOfManyPagesIsReadWhileEtcdCompactsAndIsSlow) {
  Instance one(etcd);
  constexpr int names = 1100;
  etcd::Transaction many;
  for (int i = 0; i < names; ++i)
    many.then.push_back(
        {.key = "/takt/naming/in/0000000000000001/" + std::to_string(i) + std::string(1, '\0'),
         .value = "o"});
  ASSERT_TRUE(etcd.http()->post("/v3/kv/txn", etcd::transaction_request(many), milliseconds(1),
                                std::size_t{1} << 20));
  etcd.compact_for_readings();
  EXPECT_EQ(Instance(etcd).tree.bindings(), static_cast<std::uint64_t>(names));
  etcd.limit_pages(100);
  Tree tree;
  TreeMutex mutex;
  const auto slow = Cluster::start(tree, mutex, etcd.http(),
                                   {.urls = {"http://127.0.0.1:1"}, .large_page_time = milliseconds(60)});
  ASSERT_TRUE(slow) << slow.error();
  EXPECT_EQ(tree.bindings(), static_cast<std::uint64_t>(names));
}

TEST_F(ClusterTest, AnInstanceThatRanOutOfMemoryGoesOn) {
  Instance one(etcd);
  etcd.run_out_of_memory(true);
  EXPECT_FALSE(one.cluster->current_enough());
  etcd.run_out_of_memory(false);
  EXPECT_TRUE(one.becomes_current());
}

TEST(RoundsTest, AQuestionThatThrowsEndsItsRound) {
  Rounds<int> rounds;
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  EXPECT_THROW(rounds.answer(deadline, [](auto) -> std::optional<int> { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_EQ(rounds.answer(deadline, [](auto) { return std::optional(1); }), 1);
}

// Callers with little time ask in vain, and a caller with much time waits for the same round.
TEST(RoundsTest, ACallerWithTimeLeftAsksAgain) {
  Rounds<int> rounds;
  const auto start = Clock::now(), soon = start + milliseconds(100), late = start + std::chrono::seconds(60);
  constexpr int hasty = 8;
  std::atomic<int> calls{0};
  std::optional<int> answer;
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([&] {
      rounds.answer(late, [&](auto) {
        while (calls < hasty + 1) std::this_thread::yield();
        std::this_thread::sleep_for(milliseconds(20));
        return std::optional(1);
      });
    });
    for (int i = 0; i < hasty; ++i)
      threads.emplace_back([&] {
        ++calls;
        rounds.answer(soon, [](Clock::time_point until) {
          std::this_thread::sleep_until(until);
          return std::optional<int>();
        });
      });
    threads.emplace_back([&] {
      ++calls;
      answer = rounds.answer(late, [](auto) { return std::optional(2); });
    });
  }
  EXPECT_TRUE(answer) << "a caller with less time has answered for it";
}

TEST_F(ClusterTest, ALateTransactionIsNotCarriedOutAnyMore) {
  Instance one(etcd), two(etcd);
  next(Fate::late);
  EXPECT_TRUE(one.made(Action::bind, "r"));
  EXPECT_TRUE(two.made(Action::unbind));
  etcd.release();
  EXPECT_FALSE(etcd.has("/in/")) << "the name would be bound again";
  next(Fate::late);
  EXPECT_TRUE(one.made(Action::bind, "s"));
  EXPECT_TRUE(one.made(Action::unbind));
  EXPECT_TRUE(two.made(Action::bind, "t"));
  next(Fate::late);
  EXPECT_TRUE(two.made(Action::unbind));
  EXPECT_TRUE(one.made(Action::bind, "u"));
  etcd.release();
  EXPECT_EQ(one.cluster->renew(), Changes::Renewal::renewed);
  EXPECT_EQ(one.bound(), "u");
}

TEST_F(ClusterTest, AContextThatWasDestroyedDoesNotComeBack) {
  Instance one(etcd);
  next(Fate::late, "/context/");
  const auto made = one.cluster->carry_out({.action = Action::create});
  ASSERT_TRUE(made);
  EXPECT_TRUE(one.cluster->carry_out({.action = Action::destroy, .context = *made}));
  etcd.release();
  EXPECT_FALSE(etcd.has("/context/"));
}

// The tree that is read then does not tell whether the change was made.
TEST_F(ClusterTest, AfterReadingAllAnewALostAnswerStaysOpen) {
  Instance one(etcd);
  etcd.fate = [](const std::vector<std::string>& keys) {
    const auto writes = [&](const char* part) {
      return std::ranges::any_of(
          keys, [&](const std::string& each) { return each.find(part) != std::string::npos; });
    };
    return writes("/in/")     ? Fate::lost_after
           : writes("/fence") ? Fate::answered_and_compacted
                              : Fate::answered;
  };
  etcd.hold_watches(true);
  const auto outcome = one.made(Action::bind, "r");
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(std::get<StoreFault>(outcome.error()).maybe_done);
  EXPECT_EQ(one.bound(), "r") << "it was";
}

TEST_F(ClusterTest, AnEtcdThatWasReplacedIsReadAnew) {
  Instance one(etcd);
  EXPECT_TRUE(one.made(Action::bind, "r"));
  etcd.replace();
  ASSERT_TRUE(one.becomes_current());
  EXPECT_EQ(one.bound(), "") << "a name that this etcd has not";
  EXPECT_TRUE(one.made(Action::bind, "s"));
  EXPECT_EQ(one.bound(), "s");
}

TEST_F(ClusterTest, AnOldTreeDoesNotRefuse) {
  Instance one(etcd), two(etcd);
  EXPECT_TRUE(one.made(Action::bind, "r"));
  EXPECT_EQ(two.cluster->renew(), Changes::Renewal::renewed);
  etcd.hold_watches(true);
  std::thread releases([&] {
    std::this_thread::sleep_for(milliseconds(50));
    etcd.hold_watches(false);
  });
  EXPECT_TRUE(one.made(Action::unbind));
  releases.join();
  EXPECT_TRUE(two.made(Action::bind, "s")) << "its tree may still have the name";
  EXPECT_EQ(std::get<Refusal>(one.made(Action::bind, "t").error()), Refusal::already_bound);
}

// As a proxy that answers 502 for an etcd that is not there.
TEST_F(ClusterTest, AnEtcdThatLosesAllIsAskedNowAndThen) {
  Instance one(etcd, milliseconds(300));
  const int before = etcd.transactions();
  etcd.fate = [](const auto&) { return Fate::lost_before; };
  EXPECT_FALSE(one.made(Action::bind, "r"));
  EXPECT_LT(etcd.transactions() - before, 20);
  etcd::EtcdInMemory other;
  other.fate = etcd.fate;
  Tree tree;
  TreeMutex mutex;
  EXPECT_FALSE(Cluster::start(tree, mutex, other.http(),
                              {.urls = {"http://127.0.0.1:1"}, .timeout = milliseconds(300)}));
  EXPECT_LT(other.transactions(), 20);
}

TEST_F(ClusterTest, ANameWithAValueOfAnotherProgramCanBeChanged) {
  Instance follows(etcd, milliseconds(500));
  put("/takt/naming/in/0000000000000001/" + key, "nonsense");
  EXPECT_EQ(follows.cluster->renew(), Changes::Renewal::renewed);
  Instance reads(etcd, milliseconds(500));
  for (Instance* const each : {&follows, &reads}) {
    EXPECT_EQ(each->tree.bindings(), 1u);
    EXPECT_EQ(std::get<Refusal>(each->made(Action::bind, "r").error()), Refusal::already_bound);
  }
  EXPECT_TRUE(reads.made(Action::rebind, "r"));
  EXPECT_EQ(reads.bound(), "r");
  put("/takt/naming/in/0000000000000001/" + key, "?");
  EXPECT_EQ(follows.cluster->renew(), Changes::Renewal::renewed);
  EXPECT_EQ(follows.bound(), "") << "the binding of before is gone";
  EXPECT_TRUE(follows.made(Action::unbind));
  EXPECT_FALSE(etcd.has("/in/"));
}

TEST_F(ClusterTest, WhatIsForeignIsLeftAlone) {
  Instance one(etcd, milliseconds(500));
  EXPECT_TRUE(one.made(Action::bind, "r"));
  put("/takt/naming/nonsense", "x");
  put("/takt/naming/in/0000000000000001/b", "o");
  put("/takt/naming/in/00000000000000ff/" + key, "oref");  // no such context
  put("/takt/naming/context/00000000000000ff", "");
  put("/takt/naming/in/00000000000000ff/" + key, "?");
  EXPECT_EQ(one.cluster->renew(), Changes::Renewal::renewed);
  EXPECT_EQ(one.tree.bindings(), 2u) << "the one of no use has the name";
  EXPECT_EQ(one.tree.contexts(), 2u);
  Tree other;
  TreeMutex mutex;
  put("/takt/naming/format", "takt-naming-9");
  EXPECT_FALSE(Cluster::start(other, mutex, etcd.http(),
                              {.urls = {"http://127.0.0.1:1"}, .timeout = milliseconds(200)}));
}

}  // namespace
}  // namespace takt::naming
