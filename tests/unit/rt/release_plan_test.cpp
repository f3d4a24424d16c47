#include "rt/periodic/release_plan.h"

#include <gtest/gtest.h>

namespace takt::rt {
namespace release_plan_test {

using namespace std::chrono_literals;

os::TimePoint at(std::chrono::nanoseconds time) { return os::TimePoint(time); }
std::chrono::nanoseconds time_of(os::TimePoint point) { return point.time_since_epoch(); }

TEST(ReleasePlan, HasNothingBeforeTheFirstReleaseAndThenEachPeriodsOnce) {
  ReleasePlan plan;
  EXPECT_EQ(plan.next(), os::no_deadline);
  EXPECT_FALSE(plan.take(at(1h)));
  plan.add({.period = 10ms, .next = at(105ms)});
  EXPECT_EQ(plan.next(), at(105ms));
  EXPECT_FALSE(plan.take(at(105ms - 1ns)));
  for (auto release = 105ms; release < 1105ms; release += 10ms) {
    const auto job = plan.take(at(release + 3ms));  // late, but that does not make the next one late
    ASSERT_TRUE(job);
    EXPECT_EQ(job->release, at(release));
    EXPECT_EQ(job->left_out, 0u);
    EXPECT_FALSE(plan.take(at(release + 3ms)));
    EXPECT_EQ(plan.next(), at(release + 10ms));
  }
}

TEST(ReleasePlan, TheLowestSubPriorityGoesFirstThenTheEarliestThenTheFirstAdded) {
  ReleasePlan plan;
  plan.add({.period = 1s, .sub_priority = 2, .next = at(1ms)});
  plan.add({.period = 1s, .sub_priority = 1, .next = at(3ms)});
  plan.add({.period = 1s, .sub_priority = 1, .next = at(2ms)});
  plan.add({.period = 1s, .sub_priority = 0, .next = at(9ms)});
  plan.add({.period = 1s, .sub_priority = 1, .next = at(2ms)});
  std::vector<std::size_t> order;
  while (const auto job = plan.take(at(5ms))) order.push_back(job->entry);
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 4, 1, 0}));
  EXPECT_EQ(plan.next(), at(9ms));
}

TEST(ReleasePlan, LeavesOutWhatALaterReleaseHasOvertaken) {
  ReleasePlan plan;
  plan.add({.period = 10ms, .next = at(0ms)});
  auto job = plan.take(at(9ms));
  EXPECT_EQ(job->left_out, 0u);
  job = plan.take(at(39ms));  // the releases of 10, 20 and 30 ms are due
  ASSERT_TRUE(job);
  EXPECT_EQ(time_of(job->release), 30ms);
  EXPECT_EQ(job->left_out, 2u);
  EXPECT_EQ(time_of(job->first_left_out), 10ms);
  EXPECT_FALSE(plan.take(at(39ms)));
  job = plan.take(at(40ms));
  EXPECT_EQ(time_of(job->release), 40ms);
  EXPECT_EQ(job->left_out, 0u);
}

TEST(ReleasePlan, CatchesUpAsFarAsItMay) {
  ReleasePlan plan;
  plan.add({.period = 10ms, .late = LateReleases::catch_up, .most_behind = 2, .next = at(0ms)});
  auto job = plan.take(at(65ms));  // the releases of 0 to 60 ms are due
  ASSERT_TRUE(job);
  EXPECT_EQ(job->left_out, 4u);
  EXPECT_EQ(time_of(job->first_left_out), 0ms);
  EXPECT_EQ(time_of(job->release), 40ms);
  EXPECT_EQ(time_of(plan.take(at(66ms))->release), 50ms);
  EXPECT_EQ(time_of(plan.take(at(67ms))->release), 60ms);
  EXPECT_FALSE(plan.take(at(68ms)));
  EXPECT_EQ(plan.next(), at(70ms));
}

// The sum of released and skipped jobs is the number of releases, whatever the delays.
TEST(ReleasePlan, NoReleaseIsLostOrMadeUp) {
  for (const auto late : {LateReleases::leave_out, LateReleases::catch_up}) {
    ReleasePlan plan;
    plan.add({.period = 7us, .late = late, .most_behind = 3, .next = at(0us)});
    std::uint64_t random = 1, jobs = 0, left_out = 0;
    auto now = at(0us);
    for (int i = 0; i < 10'000; ++i) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      now += std::chrono::nanoseconds(random >> 49);  // up to 32 us
      if (const auto job = plan.take(now)) {
        ++jobs;
        left_out += job->left_out;
        EXPECT_LE(now - job->release, late == LateReleases::leave_out ? 7us : 28us);
      }
    }
    EXPECT_EQ(jobs + left_out, static_cast<std::uint64_t>(time_of(plan.next()) / 7us));
    EXPECT_GT(left_out, 0u);
  }
}

}  // namespace release_plan_test
}  // namespace takt::rt
