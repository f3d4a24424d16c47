// Operations that one thread calls periodically.
#include "rt/periodic/rate_group.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace takt::rt {
namespace rate_group_test {

using namespace std::chrono_literals;

struct RateGroups : testing::Test {
  RateGroups() : group(RateGroup::start({.host = host(), .alive = nullptr}, -1, {}, 0)) {
    group->wait_until_prepared(soon());
  }
  ~RateGroups() override {
    group->stop();
    EXPECT_TRUE(group->wait_until_stopped(soon()));
  }
  ReleaseHost host() { return {.priorities = &priorities}; }
  static os::TimePoint soon() { return os::Clock::now() + 20s; }
  static void await(const std::atomic<int>& calls, int count) {
    for (const auto end = soon(); calls < count && os::Clock::now() < end;) std::this_thread::yield();
  }

  ThreadPriorities priorities{os::SchedulingClass::other, ChosenMapping{}, [](const std::string&) {}};
  std::atomic<int> calls{0};
  const RateGroup::Site site = std::make_shared<const PeriodicCall>(
      PeriodicCall{.operation = "a", .call = [this](const PeriodicJob&) { ++calls; }});
  const std::shared_ptr<Operation> hourly =
      std::make_shared<Operation>(ScheduledOperation{.name = "a", .period = 1h});
  const std::shared_ptr<RateGroup> group;
};

TEST_F(RateGroups, AMemberThatGoesOnIsNotReleasedTwice) {
  const auto now = os::Clock::now();
  group->exchange(host(), {{.site = site, .operation = hourly, .next = now}});
  await(calls, 1);
  std::atomic<int> others{0};
  const auto other = std::make_shared<const PeriodicCall>(
      PeriodicCall{.operation = "b", .call = [&](const PeriodicJob&) { ++others; }});
  const auto later_in_turn =
      std::make_shared<Operation>(ScheduledOperation{.name = "b", .sub_priority = 1, .period = 1h});
  // As if the time had been read before the thread took that release.
  group->exchange(host(), {{.site = site, .operation = hourly, .next = now, .goes_on = true},
                           {.site = other, .operation = later_in_turn, .next = now}});
  await(others, 1);
  EXPECT_EQ(calls, 1);
}

TEST_F(RateGroups, AMemberThatComesBeginsWhenItIsTold) {
  group->exchange(host(), {{.site = site, .operation = hourly, .next = os::Clock::now(), .goes_on = true}});
  await(calls, 1);
  EXPECT_EQ(calls, 1);
}

TEST_F(RateGroups, OneThatIsStoppedIsNotWaitedForToPrepare) {
  group->stop();
  group->prepare({site});
  EXPECT_NO_THROW(group->wait_until_prepared(os::Clock::now() + 2s));
}

}  // namespace rate_group_test
}  // namespace takt::rt
