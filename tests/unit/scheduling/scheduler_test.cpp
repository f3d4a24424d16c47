#include "scheduling/scheduler.h"

#include "schedulability/analysis/sensitivity.h"
#include "scheduling/output/report.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

Scheduler filled(std::initializer_list<Requirements> all, PriorityOptions options = {}) {
  Scheduler scheduler(options);
  for (const Requirements& each : all) {
    const auto handle = scheduler.create(std::to_string(scheduler.repository().infos().size() + 1));
    EXPECT_TRUE(handle && scheduler.set(*handle, each));
  }
  return scheduler;
}

TEST(Scheduler, HandsOutPriorities) {
  Scheduler scheduler = filled({needs(1, 200), needs(1, 100), needs(1, 200)});
  const auto infos = scheduler.compute_scheduling(1, 99);
  ASSERT_TRUE(infos) << infos.error().text;
  EXPECT_EQ(infos->size(), 3u);
  EXPECT_EQ(*scheduler.priority(2), (AssignedPriority{99, 0, 0}));
  EXPECT_EQ(*scheduler.priority(1), (AssignedPriority{98, 0, 1}));
  EXPECT_EQ(*scheduler.entry_point_priority("3"), (AssignedPriority{98, 1, 1}));
}

TEST(Scheduler, PrioritiesMayCountDownwards) {
  Scheduler scheduler = filled({needs(1, 200), needs(1, 100)});
  ASSERT_TRUE(scheduler.compute_scheduling(255, 0));
  EXPECT_EQ(scheduler.priority(2)->priority, 0);
  EXPECT_EQ(scheduler.priority(1)->priority, 1);
}

TEST(Scheduler, APassiveOperationHasItsMostUrgentCallersPriority) {
  Scheduler scheduler = filled({needs(1, 200), needs(1, 100), needs(1, 0)});
  ASSERT_TRUE(scheduler.add_dependency(1, 3, 1) && scheduler.add_dependency(2, 3, 1));
  ASSERT_TRUE(scheduler.compute_scheduling(0, 10));
  EXPECT_EQ(*scheduler.priority(3), *scheduler.priority(2));
}

// If the third had a priority of its own, the second would preempt it while the first waits for the lane.
TEST(Scheduler, OperationsOfALaneHaveItsPriorityAndTheirOwnOrder) {
  Requirements first = needs(2, 20, 9), third = needs(5, 100), last = needs(1, 200);
  first.lane = third.lane = last.lane = "N";
  Scheduler scheduler = filled({first, needs(10, 50), last, third});
  ASSERT_TRUE(scheduler.compute_scheduling(1, 99));
  EXPECT_EQ(*scheduler.priority(1), (AssignedPriority{99, 0, 0}));
  EXPECT_EQ(*scheduler.priority(2), (AssignedPriority{98, 0, 1}));
  EXPECT_EQ(*scheduler.priority(4), (AssignedPriority{99, 1, 0}));
  EXPECT_EQ(*scheduler.priority(3), (AssignedPriority{99, 2, 0}));
}

// A caller on another processor waits for the fourth too, whose request is not the lane's.
TEST(Scheduler, WhatALanesOperationCallsHasItsPriorityOnlyInTheLane) {
  Requirements first = needs(2, 20), third = needs(5, 100), elsewhere = needs(1, 200);
  first.lane = third.lane = "N";
  elsewhere.processor = 1;
  Scheduler scheduler = filled({first, needs(10, 50), third, needs(1, 0), elsewhere});
  ASSERT_TRUE(scheduler.add_dependency(3, 4, 1) && scheduler.add_dependency(5, 4, 1));
  ASSERT_TRUE(scheduler.compute_scheduling(1, 99));
  EXPECT_EQ(scheduler.priority(3)->priority, 99);
  EXPECT_EQ(scheduler.priority(4)->priority, 97);
  EXPECT_EQ(scheduler.priority(5)->priority, 96);
}

TEST(Scheduler, WhatIsNotScheduledHasNoPriority) {
  Scheduler scheduler = filled({needs(1, 100)});
  EXPECT_EQ(scheduler.priority(1).error().kind, SchedulingError::not_scheduled);
  ASSERT_TRUE(scheduler.compute_scheduling(0, 10));
  EXPECT_EQ(scheduler.priority(2).error().kind, SchedulingError::unknown_task);
  EXPECT_EQ(scheduler.entry_point_priority("x").error().kind, SchedulingError::unknown_task);
  ASSERT_TRUE(scheduler.create("late"));
  EXPECT_EQ(scheduler.priority(1).error().kind, SchedulingError::not_scheduled);
}

TEST(Scheduler, MissesNameTheOperationAndTheTime) {
  Scheduler scheduler = filled({needs(25, 50), needs(35, 80)});
  const auto infos = scheduler.compute_scheduling(0, 10);
  ASSERT_FALSE(infos);
  EXPECT_EQ(infos.error().kind, SchedulingError::utilization_bound_exceeded);
  EXPECT_EQ(infos.error().operation, "2");
  EXPECT_EQ(infos.error().number, 5);
  EXPECT_EQ(scheduler.priority(1).error().kind, SchedulingError::not_scheduled);
  ASSERT_TRUE(scheduler.analysis());
  EXPECT_EQ(scheduler.analysis()->lowest_safe_level, 0);
}

TEST(Scheduler, TellsWhatElseIsWrong) {
  EXPECT_EQ(Scheduler().compute_scheduling(0, 10).error().kind, SchedulingError::task_count_mismatch);
  Scheduler levels = filled({needs(1, 100), needs(1, 200)});
  EXPECT_EQ(levels.compute_scheduling(5, 5).error().kind, SchedulingError::insufficient_priority_levels);
  Scheduler cycle = filled({needs(1, 100), needs(1, 200)});
  ASSERT_TRUE(cycle.add_dependency(1, 2, 1) && cycle.add_dependency(2, 1, 1));
  EXPECT_EQ(cycle.compute_scheduling(0, 10).error().kind, SchedulingError::bad_dependencies);
}

TEST(Scheduler, OfMaximumUrgencyTheCriticalSetCounts) {
  Requirements critical = needs(60, 100);
  critical.criticality = Criticality::very_high;
  Scheduler scheduler = filled({needs(60, 90), critical}, {.strategy = Strategy::maximum_urgency_first});
  EXPECT_TRUE(scheduler.compute_scheduling(0, 10));
  EXPECT_EQ(scheduler.analysis()->verdict, Verdict::misses);
}

// The set of Liu and Layland's section 4: the second may take at most 2, the first 1.5 (two of the first and
// one of the second fit into 4).
TEST(Sensitivity, SaysHowFarTimesMayGrow) {
  const auto found = sensitivity(operations({needs(1000, 2000), needs(1000, 5000)}), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->margins[1].longest, Time(2000));
  EXPECT_EQ(found->margins[0].longest, Time(1500));
  EXPECT_EQ(found->scale_permille, 1333);  // two of the first and one of the second are done by 4000
  EXPECT_EQ(found->shorten, std::nullopt);
}

TEST(Sensitivity, SaysWhatToShorten) {
  // 25 of 50 and 35 of 80: two of the first and the second take 85 of 80.
  const auto found = sensitivity(operations({needs(25, 50), needs(35, 80)}), {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->margins[0].longest, Time(22));
  EXPECT_EQ(found->margins[1].longest, Time(30));
  EXPECT_EQ(found->shorten, 1);  // by 12 %, instead of 14 % of the other
}

TEST(Sensitivity, EndsAtItsLimitOfWorkAndSaysSo) {
  const auto set = operations({needs(1000, 2000), needs(1000, 5000)});
  const auto none = sensitivity(set, {}, 1);  // enough for one analysis
  ASSERT_TRUE(none);
  EXPECT_EQ(none->scale_permille, 1000);
  for (const Margin& each : none->margins) {
    EXPECT_FALSE(each.examined);
    EXPECT_EQ(each.longest, std::nullopt);
  }
  EXPECT_TRUE(contains(report(set, *none), "'2', 1 us now, is not examined")) << report(set, *none);
  const auto all = sensitivity(set, {});
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->margins[0].examined && all->margins[1].examined);
}

TEST(Sensitivity, WhatNothingLimitsIsSaidToBeSo) {
  Requirements cached = needs(2, 0);
  const auto found = sensitivity(operations({needs(5, 4), cached}), {});
  EXPECT_FALSE(found);  // the second has no rate
  const auto hopeless = sensitivity(operations({needs(5, 4), needs(5, 4)}), {});
  ASSERT_TRUE(hopeless);
  EXPECT_EQ(hopeless->margins[0].longest, std::nullopt);
  EXPECT_EQ(hopeless->shorten, std::nullopt);
}

}  // namespace
}  // namespace takt::scheduling
