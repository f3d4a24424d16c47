#include "events/delivery/dispatcher.h"

#include <gtest/gtest.h>

#include "../../eventually.h"
#include "events/delivery/ready.h"

#include <atomic>
#include <functional>
#include <future>
#include <latch>
#include <new>
#include <thread>

namespace takt::events {
namespace {

using namespace std::chrono_literals;
using takt::test::eventually;

class TestTask final : public Task {
 public:
  using Run = std::function<std::optional<Clock::time_point>()>;
  explicit TestTask(Run run, Standing standing) : run_(std::move(run)), standing_(standing) {}
  std::optional<Clock::time_point> run() override { return run_(); }
  Standing standing() const override { return standing_; }

 private:
  const Run run_;
  const Standing standing_;
};

std::shared_ptr<Task> task(TestTask::Run run, Standing standing = Standing::proven) {
  return std::make_shared<TestTask>(std::move(run), standing);
}

Limits limits(std::uint32_t threads, std::uint32_t max_threads) {
  Limits limits;
  limits.threads = threads;
  limits.max_threads = max_threads;
  limits.slow_after = 2ms;
  limits.hanging_threads = 0;
  return limits;
}

TEST(Dispatcher, RunsEveryTaskOnce) {
  std::atomic<int> runs{0};
  std::latch done(1000);
  Dispatcher dispatcher(limits(3, 10));
  TaskList tasks;
  for (int i = 0; i < 1000; ++i)
    tasks.push(task([&] {
      ++runs;
      done.count_down();
      return std::nullopt;
    }));
  dispatcher.ready(std::move(tasks));
  done.wait();
  dispatcher.stop();
  EXPECT_EQ(runs, 1000);
}

TEST(Dispatcher, RunsATaskAgainWhenItSaysSo) {
  int runs = 0;
  std::latch done(1);
  Dispatcher dispatcher(limits(2, 10));
  dispatcher.ready(task([&]() -> std::optional<Clock::time_point> {
    if (++runs == 1) return Clock::time_point::min();  // at once
    if (runs == 2) return Clock::now() + 1ms;
    done.count_down();
    return std::nullopt;
  }));
  done.wait();
  dispatcher.stop();
  EXPECT_EQ(runs, 3);
}

TEST(Dispatcher, RunsATaskAgainThatFindsNoMemory) {
  int runs = 0;
  std::latch done(1);
  Dispatcher dispatcher(limits(2, 10));
  dispatcher.ready(task([&]() -> std::optional<Clock::time_point> {
    if (++runs < 3) throw std::bad_alloc();
    done.count_down();
    return std::nullopt;
  }));
  done.wait();
  dispatcher.stop();
  EXPECT_EQ(runs, 3);
}

TEST(Dispatcher, TasksThatWereAddedBecomeReadyDespiteAnException) {
  std::latch done(2);
  Dispatcher dispatcher(limits(2, 10));
  try {
    Ready ready(dispatcher);
    for (int i = 0; i < 2; ++i)
      ready.add(task([&] {
        done.count_down();
        return std::nullopt;
      }));
    throw std::bad_alloc();
  } catch (const std::bad_alloc&) {
    done.wait();
  }
  dispatcher.stop();
}

TEST(TaskList, IsInOrderAndEndsWithoutRecursion) {
  TaskList list;
  EXPECT_EQ(list.pop(), nullptr);
  const auto none = [] { return std::nullopt; };
  const auto first = task(none), second = task(none);
  list.push(first);
  list.push(second);
  EXPECT_EQ(list.size(), 2u);
  TaskList moved(std::move(list));
  EXPECT_TRUE(list.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(moved.pop(), first);
  moved.push(first);
  EXPECT_EQ(moved.pop(), second);
  for (int i = 0; i < 1'000'000; ++i) moved.push(task(none));
  moved = {};
  EXPECT_EQ(first.use_count(), 1);
}

TEST(Dispatcher, RunsTasksAtTheirTimeEarliestFirst) {
  std::vector<int> order;
  std::latch done(3);
  Dispatcher dispatcher(limits(1, 1));
  const auto now = Clock::now();
  for (const int i : {3, 1, 2})
    dispatcher.ready_at(now + i * 20ms, task([&, i, now]() -> std::optional<Clock::time_point> {
                          EXPECT_GE(Clock::now(), now + i * 20ms);
                          order.push_back(i);
                          done.count_down();
                          return std::nullopt;
                        }));
  done.wait();
  dispatcher.stop();
  EXPECT_EQ(order, (std::vector<int>{1, 2, 3}));
}

TEST(Dispatcher, ReplacesThreadsWhoseTaskIsSlow) {
  std::latch hold(1), held(5), done(100);
  Dispatcher dispatcher(limits(2, 10));
  for (int i = 0; i < 5; ++i)
    dispatcher.ready(task([&] {
      held.count_down();
      hold.wait();
      return std::nullopt;
    }));
  held.wait();
  for (int i = 0; i < 100; ++i)
    dispatcher.ready(task([&] {
      done.count_down();
      return std::nullopt;
    }));
  done.wait();
  EXPECT_LE(dispatcher.counts().threads, 7u);
  EXPECT_TRUE(eventually([&] { return dispatcher.counts().replaced >= 5; }));
  EXPECT_EQ(dispatcher.counts().blocked, 5u);
  hold.count_down();
  dispatcher.stop();
}

// The thread of the slow task ends then, because it has been replaced, and the replacement is idle.
TEST(Dispatcher, RunsATaskAgainThatWasSlow) {
  std::latch hold(1), held(1), other(1), done(1);
  int runs = 0;
  Dispatcher dispatcher(limits(1, 4));
  dispatcher.ready(task([&]() -> std::optional<Clock::time_point> {
    if (++runs == 2) {
      done.count_down();
      return std::nullopt;
    }
    held.count_down();
    hold.wait();
    return Clock::time_point::min();
  }));
  held.wait();
  dispatcher.ready(task([&] {
    other.count_down();
    return std::nullopt;
  }));
  other.wait();
  std::this_thread::sleep_for(50ms);  // until the replacement and the watcher have nothing to do
  hold.count_down();
  ASSERT_TRUE(eventually([&] { return done.try_wait(); }));
  dispatcher.stop();
  EXPECT_EQ(runs, 2);
}

TEST(Dispatcher, HasAtMostTheThreadsThatItMayHave) {
  std::latch hold(1), held(4);
  std::atomic<int> running{0}, most{0}, runs{0};
  Dispatcher dispatcher(limits(2, 4));
  for (int i = 0; i < 10; ++i)
    dispatcher.ready(task([&] {
      const int now = ++running;
      for (int before = most; before < now && !most.compare_exchange_weak(before, now);) {
      }
      if (now <= 4 && !held.try_wait()) held.count_down();
      hold.wait();
      --running;
      ++runs;
      return std::nullopt;
    }));
  held.wait();
  hold.count_down();
  EXPECT_TRUE(eventually([&] { return runs == 10; }));
  dispatcher.stop();
  EXPECT_EQ(most, 4);
}

// Whether prompt tasks go on while tasks of the standing hang, and these have no more than that many threads.
void expect_lends(Standing standing, std::uint32_t max_threads, int most) {
  std::latch hold(1), held(most), done(50);
  std::atomic<int> begun{0};
  Dispatcher dispatcher(limits(2, max_threads));
  for (int i = 0; i < 20; ++i)
    dispatcher.ready(task(
        [&, most] {
          if (++begun <= most) held.count_down();
          hold.wait();
          return std::nullopt;
        },
        standing));
  held.wait();
  for (int i = 0; i < 50; ++i)
    dispatcher.ready(task([&] {
      done.count_down();
      return std::nullopt;
    }));
  done.wait();
  EXPECT_EQ(begun, most);
  hold.count_down();
  EXPECT_TRUE(eventually([&] { return begun == 20; }));
  dispatcher.stop();
}

TEST(Dispatcher, LendsSuspectsAQuarterOfItsThreads) { expect_lends(Standing::suspect, 8, 2); }
TEST(Dispatcher, LendsSlowClientsThreeQuartersOfItsThreads) { expect_lends(Standing::slow, 8, 6); }
TEST(Dispatcher, LendsUnprovenClientsHalfOfItsThreads) { expect_lends(Standing::unproven, 8, 4); }
TEST(Dispatcher, LendsClientsThatLeaveASixteenthOfItsThreads) { expect_lends(Standing::leaving, 32, 2); }
TEST(Dispatcher, LeavesOneThreadToProvenClients) { expect_lends(Standing::unproven, 2, 1); }

TEST(Dispatcher, DropsTasksOfClientsThatLeaveIfTooManyWait) {
  std::latch hold(1), held(1);
  std::atomic<int> runs{0};
  Limits few = limits(2, 16);
  few.farewells = 5;
  Dispatcher dispatcher(few);
  const auto leave = [&] {
    dispatcher.ready(task(
        [&] {
          if (++runs == 1) held.count_down();
          hold.wait();
          return std::nullopt;
        },
        Standing::leaving));
  };
  leave();
  held.wait();
  for (int i = 0; i < 20; ++i) leave();
  EXPECT_EQ(dispatcher.counts().ready, 5u);
  EXPECT_EQ(dispatcher.counts().dropped, 15u);
  hold.count_down();
  EXPECT_TRUE(eventually([&] { return runs == 6; }));
  dispatcher.stop();
  EXPECT_EQ(runs, 6);
}

// Tasks that hang, until they are let go.
class Hanging {
 public:
  ~Hanging() { let_go(); }
  TaskList tasks(int count, Standing standing = Standing::proven) {
    TaskList all;
    for (int i = 0; i < count; ++i)
      all.push(task(
          [this] {
            ++running;
            open_.wait(false);
            return std::nullopt;
          },
          standing));
    return all;
  }
  void let_go() {
    open_ = true;
    open_.notify_all();
  }
  std::atomic<int> running{0};

 private:
  std::atomic<bool> open_{false};
};

TEST(Dispatcher, IsWaryOfClientsThatWereNotHeardSinceManyHang) {
  Hanging hanging;
  Dispatcher dispatcher(limits(2, 16));
  const auto before = Clock::now();
  EXPECT_FALSE(dispatcher.asks_first(before));
  dispatcher.ready(hanging.tasks(3));
  EXPECT_TRUE(eventually([&] { return dispatcher.counts().blocked == 3; }));
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(dispatcher.asks_first(before)) << "three of sixteen are few";
  dispatcher.ready(hanging.tasks(1));
  EXPECT_TRUE(eventually([&] { return dispatcher.asks_first(before); }));
  EXPECT_FALSE(dispatcher.asks_first(Clock::now()));
  hanging.let_go();
  EXPECT_TRUE(eventually([&] { return !dispatcher.asks_first(before); }));
}

TEST(Dispatcher, HasMoreThreadsWhileProvenClientsHang) {
  Hanging hanging;
  Limits slowly = limits(2, 64);
  slowly.slow_after = 100ms;
  Dispatcher dispatcher(slowly);
  dispatcher.ready(hanging.tasks(30));
  std::uint32_t most = 0;  // threads besides those that wait for a slow client
  EXPECT_TRUE(eventually([&] {
    const auto counts = dispatcher.counts();
    most = std::max(most, counts.threads - counts.blocked);
    return hanging.running == 30;
  }));
  EXPECT_GE(most, 8u) << "2, then as many more as are slow, up to a quarter of all";
  EXPECT_LE(most, 16u);
  hanging.let_go();
}

// All that may run hang, so that others would wait for them.
TEST(Dispatcher, HasThreadsBesidesForProvenAndSlowClientsThatHang) {
  for (const Standing standing : {Standing::proven, Standing::slow}) {
    Hanging hanging;
    Limits few = limits(2, 4);
    few.hanging_threads = 20;
    Dispatcher dispatcher(few);
    dispatcher.ready(hanging.tasks(20, standing));
    std::latch done(1);
    dispatcher.ready(task(
        [&] {
          done.count_down();
          return std::nullopt;
        },
        standing));
    done.wait();
    EXPECT_TRUE(eventually([&] { return hanging.running == 20; }));  // the last may just have its thread
    hanging.let_go();
    EXPECT_TRUE(eventually([&] { return dispatcher.counts().hanging == 0; }));
  }
}

TEST(Dispatcher, HasAtMostThatManyThreadsForClientsThatHang) {
  for (const Standing standing : {Standing::proven, Standing::unproven, Standing::suspect}) {
    Hanging hanging;
    Limits few = limits(2, 4);
    few.hanging_threads = 3;
    Dispatcher dispatcher(few);
    dispatcher.ready(hanging.tasks(10, standing));
    const int most = standing == Standing::proven ? 7 : standing == Standing::unproven ? 2 : 1;
    EXPECT_TRUE(eventually([&] { return hanging.running >= most; }));
    std::this_thread::sleep_for(30ms);
    EXPECT_EQ(hanging.running, most);
    hanging.let_go();
  }
}

TEST(Dispatcher, GivesSlowClientsTurnsBetweenProvenOnesThatAlwaysWait) {
  std::atomic<bool> ends{false};
  std::latch done(40);
  Dispatcher dispatcher(limits(2, 16));
  const auto again = [&]() -> std::optional<Clock::time_point> {
    return ends ? std::nullopt : std::optional(Clock::time_point::min());
  };
  for (int i = 0; i < 8; ++i) dispatcher.ready(task(again));
  std::atomic<int> running{0}, most{0};  // calls to slow clients
  for (int i = 0; i < 40; ++i)
    dispatcher.ready(task(
        [&] {
          const int now = ++running;
          for (int before = most; before < now && !most.compare_exchange_weak(before, now);) continue;
          std::this_thread::sleep_for(20ms);
          --running;
          done.count_down();
          return std::nullopt;
        },
        Standing::slow));
  done.wait();
  EXPECT_GT(most, 1) << "not one after the other";
  ends = true;
}

// With two threads, one at a time may wait for clients that are not proven.
TEST(Dispatcher, GivesOtherClientsTurnsBetweenSlowOnesThatAlwaysWait) {
  for (const Standing standing : {Standing::unproven, Standing::suspect, Standing::leaving}) {
    std::atomic<bool> ends{false};
    std::latch done(1);
    Dispatcher dispatcher(limits(2, 2));
    const auto again = [&]() -> std::optional<Clock::time_point> {
      return ends ? std::nullopt : std::optional(Clock::time_point::min());
    };
    for (int i = 0; i < 4; ++i) dispatcher.ready(task(again, Standing::slow));
    dispatcher.ready(task(
        [&] {
          done.count_down();
          return std::nullopt;
        },
        standing));
    done.wait();
    ends = true;
  }
}

TEST(Dispatcher, ForgetsWaitingTasksWhenItStops) {
  int runs = 0;
  Dispatcher dispatcher(limits(1, 1));
  dispatcher.ready_at(Clock::now() + 1h, task([&] {
                        ++runs;
                        return std::nullopt;
                      }));
  dispatcher.stop();
  dispatcher.ready(task([&] {
    ++runs;
    return std::nullopt;
  }));
  EXPECT_EQ(runs, 0);
  EXPECT_EQ(dispatcher.counts().ready, 0u);
}

// At its end it waits for a thread that uses the dispatcher.
class NeedsOthers final : public Task {
 public:
  NeedsOthers(Dispatcher& dispatcher, Standing standing, std::atomic<int>& held_up)
      : dispatcher_(dispatcher), standing_(standing), held_up_(held_up) {}
  ~NeedsOthers() override {
    std::promise<void> counted;
    auto done = counted.get_future();
    std::thread([&dispatcher = dispatcher_, counted = std::move(counted)]() mutable {
      (void)dispatcher.counts();
      counted.set_value();
    }).detach();
    if (done.wait_for(500ms) != std::future_status::ready) ++held_up_;
  }
  std::optional<Clock::time_point> run() override { return Clock::time_point::min(); }
  Standing standing() const override { return standing_; }

 private:
  Dispatcher& dispatcher_;
  const Standing standing_;
  std::atomic<int>& held_up_;
};

// A proxy that waits, for example, takes the lock of the memory shares at its end. A thread that has it waits
// for the lock of another proxy, and that one's for the dispatcher.
TEST(Dispatcher, EndsForgottenTasksWithoutItsLock) {
  std::atomic<int> held_up{0};
  Dispatcher dispatcher(limits(1, 1));
  std::latch hold(1), held(1);
  dispatcher.ready(task([&] {
    held.count_down();
    hold.wait();
    return std::nullopt;
  }));
  held.wait();
  dispatcher.ready(std::make_shared<NeedsOthers>(dispatcher, Standing::proven, held_up));
  dispatcher.ready_at(Clock::now() + 1h,
                      std::make_shared<NeedsOthers>(dispatcher, Standing::proven, held_up));
  std::thread stopping([&] { dispatcher.stop(); });
  EXPECT_TRUE(eventually([&] { return dispatcher.counts().ready == 0; }));
  hold.count_down();
  stopping.join();
  EXPECT_EQ(held_up, 0);
}

TEST(Dispatcher, EndsDroppedTasksWithoutItsLock) {
  std::atomic<int> held_up{0};
  Limits none = limits(2, 16);
  none.farewells = 0;
  Dispatcher dispatcher(none);
  for (int i = 0; i < 2; ++i)
    dispatcher.ready_at(Clock::now() + i * 1ms,
                        std::make_shared<NeedsOthers>(dispatcher, Standing::leaving, held_up));
  EXPECT_TRUE(eventually([&] { return dispatcher.counts().dropped == 2; }));
  dispatcher.stop();
  EXPECT_EQ(held_up, 0);
}

}  // namespace
}  // namespace takt::events
