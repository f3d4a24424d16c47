#include "rt/operations/budget_watch.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace takt::rt {
namespace budget_watch_test {

using namespace std::chrono_literals;

class Host final : public BudgetWatch::Host {
 public:
  std::optional<os::Scheduling> on_overrun(Operation& operation, const os::RunningThread&,
                                           std::chrono::nanoseconds used) noexcept override {
    if (used <= operation.execution) ++wrong;
    ++told;
    told.notify_all();
    return os::Scheduling{.priority = 7};
  }
  std::atomic<int> told{0}, wrong{0};
};

std::chrono::nanoseconds used_by_me() { return *os::RunningThread::mine().processor_time(); }

struct Upcall {
  Upcall(BudgetWatch& watch, Operation& operation)
      : watched(watch.begin(operation, os::RunningThread::mine(), used_by_me(), Clock::now())) {}
  BudgetWatch::Watched watched;
};

TEST(BudgetWatch, TellsOnceWhileTheUpcallRunsAndItsEndSaysSo) {
  Host host;
  Operation operation({.name = "a", .execution = 1ms});
  BudgetWatch watch(host, os::SchedulingClass::other);
  const Upcall over(watch, operation);
  while (host.told == 0) {
  }
  const auto ended = watch.end(over.watched);
  EXPECT_TRUE(ended.told);
  ASSERT_TRUE(ended.ran_at);
  EXPECT_EQ(ended.ran_at->priority, 7);
  const Upcall under(watch, operation);
  EXPECT_FALSE(watch.end(under.watched).told);
  EXPECT_EQ(host.told, 1);
}

TEST(BudgetWatch, AShorterBudgetThatBeginsLaterIsSeenFirst) {
  Host host;
  Operation patient({.name = "a", .execution = 1h}), hasty({.name = "b", .execution = 1ms});
  BudgetWatch watch(host, os::SchedulingClass::other);
  const Upcall outer(watch, patient);
  const Upcall inner(watch, hasty);
  while (host.told == 0) {
  }
  EXPECT_TRUE(watch.end(inner.watched).told);
  EXPECT_FALSE(watch.end(outer.watched).told);
}

TEST(BudgetWatch, TimeInWhichTheThreadWaitsIsNone) {
  Host host;
  Operation operation({.name = "a", .execution = 2ms});
  BudgetWatch watch(host, os::SchedulingClass::other);
  const Upcall upcall(watch, operation);
  std::this_thread::sleep_for(20ms);
  EXPECT_FALSE(watch.end(upcall.watched).told);
}

TEST(BudgetWatch, MoreUpcallsThanItHasPlacesForAreLeftAlone) {
  Host host;
  Operation operation({.name = "a", .execution = 1h});
  BudgetWatch watch(host, os::SchedulingClass::other);
  std::vector<BudgetWatch::Watched> all;
  for (std::size_t i = 0; i < BudgetWatch::max_watched + 3; ++i)
    all.push_back(Upcall(watch, operation).watched);
  EXPECT_EQ(all.back().place, BudgetWatch::max_watched);
  for (const auto& one : all) EXPECT_FALSE(watch.end(one).told);
  EXPECT_LT(Upcall(watch, operation).watched.place, BudgetWatch::max_watched) << "the places are free again";
}

TEST(BudgetWatch, UpcallsThatEndWhileItLooksAreEitherToldOrNot) {
  Host host;
  std::atomic<int> said{0};
  {
    BudgetWatch watch(host, os::SchedulingClass::other);
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        // A budget so short that most calls exceed it by about the time it takes to notice.
        Operation operation({.name = "a", .execution = 20us});
        for (int i = 0; i < 3000; ++i) {
          const Upcall upcall(watch, operation);
          const auto end = used_by_me() + std::chrono::microseconds(i % 60);
          while (used_by_me() < end) {
          }
          said += watch.end(upcall.watched).told ? 1 : 0;
        }
      });
  }
  EXPECT_EQ(said, host.told);
  EXPECT_EQ(host.wrong, 0);
}

}  // namespace budget_watch_test
}  // namespace takt::rt
