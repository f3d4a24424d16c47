#include "schedulability/analysis/analysis.h"

#include "schedulability/analysis/demand.h"
#include "schedulability/simulation/simulator.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

Requirements blocked(Requirements wanted, std::int64_t blocking) {
  wanted.blocking = Time(blocking);
  return wanted;
}

TEST(Analysis, BlockingDelaysTheBlockedAndNobodyElse) {
  const auto analysis =
      analysed(operations({blocked(needs(1, 10), 2), needs(3, 20)}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 3);
  EXPECT_EQ(response(analysis, 2), 4);
}

// A miss that happens only with worst-case blocking is not claimed.
TEST(Analysis, WhatBlockingMayMissIsUnproven) {
  const auto set = operations({blocked(needs(5, 10), 6), needs(4, 20)});
  EXPECT_EQ(analysed(set, Strategy::rate_monotonic).verdict, Verdict::unproven);
  EXPECT_EQ(analysed(set, Strategy::earliest_deadline_first).verdict, Verdict::unproven);
}

TEST(Analysis, WhatHoldsForOnePhaseOnlyIsUnproven) {
  Requirements later = needs(5, 10, 5);
  later.phase = Time(5);
  const auto set = operations({needs(5, 10, 5), later});
  EXPECT_EQ(analysed(set, Strategy::deadline_monotonic).verdict, Verdict::unproven);
  EXPECT_EQ(analysed(set, Strategy::earliest_deadline_first).verdict, Verdict::unproven);
}

// The first two are done at 4, when the first is released again. So the third, which takes no time, runs
// at 6.
TEST(Analysis, WorkOfNoTimeWaitsForWhatArrivesWhenItCouldBegin) {
  Requirements blocked_by_one = blocked(needs(0, 16), 1);
  const auto analysis =
      analysed(operations({needs(2, 4), needs(2, 8), needs(0, 16)}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 3), 6);
  EXPECT_EQ(simulate(analysis, {.horizon = Time(16)}).threads[2].worst_response, Time(6));
  EXPECT_EQ(
      response(analysed(operations({needs(2, 4), needs(1, 8), blocked_by_one}), Strategy::rate_monotonic), 3),
      6);
  EXPECT_EQ(response(analysed(operations({needs(0, 4), needs(2, 8)}), Strategy::rate_monotonic), 1), 0);
  const auto full = analysed(operations({needs(2, 4), needs(4, 8), needs(0, 16)}), Strategy::rate_monotonic);
  EXPECT_EQ(response(full, 2), 8);
  EXPECT_EQ(response(full, 3), -1) << "there is no time at which nothing else wants to run";
}

TEST(Analysis, AnOverloadedLevelMissesWhoeverItIs) {
  const auto analysis = analysed(operations({needs(6, 10), needs(6, 10)}), Strategy::rate_monotonic, false);
  EXPECT_EQ(analysis.verdict, Verdict::misses);
  EXPECT_EQ(analysis.processors[0].verdict, Verdict::misses);
  EXPECT_EQ(analysis.lowest_safe_level, std::nullopt);
}

TEST(Analysis, TheLowestSafeLevelHasNoneUnsafeAboveIt) {
  // The second misses its deadline; the third, with a very late deadline, does not.
  const auto set = operations({needs(5, 10), needs(4, 12, 6), needs(1, 100)});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(result(analysis, 2).verdict, Verdict::misses);
  EXPECT_EQ(result(analysis, 3).verdict, Verdict::meets);
  EXPECT_EQ(analysis.lowest_safe_level, 0);
}

TEST(Analysis, ProcessorDemandSaysWhenThereIsTooMuch) {
  const auto analysis =
      analysed(operations({needs(3, 10, 5), needs(4, 20, 6)}), Strategy::earliest_deadline_first);
  EXPECT_EQ(analysis.verdict, Verdict::misses);
  ASSERT_TRUE(analysis.processors[0].overload);
  EXPECT_EQ(analysis.processors[0].overload->at, Time(6));
  EXPECT_EQ(analysis.processors[0].overload->needed, Time(7));
}

// The first thread always goes first, although the bound of its level is beyond its deadline.
TEST(Analysis, TooMuchDemandIsNotAMissOfEveryThread) {
  const auto set = operations({needs(1, 10, 1), needs(5, 20, 4)});
  for (const Strategy strategy : {Strategy::earliest_deadline_first, Strategy::minimum_laxity_first}) {
    const auto analysis = analysed(set, strategy);
    EXPECT_EQ(analysis.verdict, Verdict::misses);
    EXPECT_EQ(analysis.critical_verdict, Verdict::misses);
    EXPECT_EQ(analysis.processors[0].verdict, Verdict::misses);
    EXPECT_EQ(result(analysis, 1).verdict, Verdict::unproven);
    EXPECT_EQ(result(analysis, 2).verdict, Verdict::misses) << "it cannot even meet its deadline alone";
  }
}

// The demand exceeds 10 only, which the second thread misses; later instants have enough time again.
TEST(Analysis, WithEarliestDeadlinesTheFirstInstantSaysWhoMisses) {
  const auto set = operations({needs(4, 20, 5), needs(7, 40, 10), needs(2, 40, 14)});
  const auto analysis = analysed(set, Strategy::earliest_deadline_first);
  EXPECT_EQ(analysis.verdict, Verdict::misses);
  EXPECT_EQ(result(analysis, 1).verdict, Verdict::unproven);
  EXPECT_EQ(result(analysis, 2).verdict, Verdict::misses);
  EXPECT_EQ(result(analysis, 3).verdict, Verdict::meets);
  const auto laxity = analysed(set, Strategy::minimum_laxity_first);
  EXPECT_EQ(laxity.verdict, Verdict::misses);
  EXPECT_EQ(result(laxity, 1).verdict, Verdict::unproven) << "one of the two misses";
  EXPECT_EQ(result(laxity, 2).verdict, Verdict::unproven) << "one of the two misses";
}

// Two threads have that deadline, and their order is not known.
TEST(Analysis, OneOfTwoThreadsMissesAndNeitherIsNamed) {
  const auto analysis =
      analysed(operations({needs(3, 10, 5), needs(3, 20, 5)}), Strategy::earliest_deadline_first);
  EXPECT_EQ(analysis.verdict, Verdict::misses);
  EXPECT_EQ(result(analysis, 1).verdict, Verdict::unproven);
  EXPECT_EQ(result(analysis, 2).verdict, Verdict::unproven);
}

// Full utilisation with jitter gives an endless busy period, which the analysis must give up.
TEST(Analysis, AFullProcessorWithJitterIsGivenUp) {
  Requirements late = needs(5, 10, 1000);
  late.jitter = Time(3);
  const auto set = operations({late, needs(5, 10, 1000)});
  EXPECT_NE(analysed(set, Strategy::rate_monotonic).verdict, Verdict::misses);
}

TEST(Analysis, OfMaximumUrgencyTheRestIsBounded) {
  Requirements critical = needs(6, 20);
  critical.criticality = Criticality::high;
  const auto analysis = analysed(operations({needs(4, 15), critical}), Strategy::maximum_urgency_first);
  EXPECT_EQ(analysis.critical_verdict, Verdict::meets);
  EXPECT_EQ(response(analysis, 1), 10);
  EXPECT_EQ(analysis.verdict, Verdict::meets);
}

// The load is 1.3 times the processor: EDF loses jobs of all threads, MUF none of the critical set.
TEST(Analysis, MaximumUrgencyKeepsTheCriticalSetInOverload) {
  Requirements critical = needs(60, 200);
  critical.criticality = Criticality::very_high;
  const auto set = operations({needs(50, 100), critical, needs(60, 120)});
  const auto lost = [&](Strategy strategy) {
    const auto analysis = analysed(set, strategy);
    const auto played = simulate(analysis, {.horizon = Time(60'000)});
    return played.threads[thread_of(analysis, 2)].misses;
  };
  EXPECT_EQ(lost(Strategy::maximum_urgency_first), 0u);
  EXPECT_GT(lost(Strategy::earliest_deadline_first), 0u);
}

TEST(Simulator, KeepsWhoRanWhen) {
  const auto analysis = analysed(operations({needs(1, 4), needs(3, 8)}), Strategy::rate_monotonic);
  const auto played = simulate(analysis, {.horizon = Time(8), .most_slices = 10});
  ASSERT_EQ(played.slices.size(), 3u);
  EXPECT_EQ(played.slices[1].thread, thread_of(analysis, 2));
  EXPECT_EQ(played.slices[1].begin, Time(1));
  EXPECT_EQ(played.slices[1].end, Time(4));
  EXPECT_EQ(played.slices[2].end, Time(5));
  EXPECT_EQ(played.kept_until, Time(8));
  EXPECT_EQ(hyperperiod(analysis.threads), Time(8));
}

TEST(Simulator, StopsWhenItIsOutOfSteps) {
  const auto analysis = analysed(operations({needs(1, 4)}), Strategy::rate_monotonic);
  const auto played = simulate(analysis, {.horizon = longest_time, .most_steps = 100});
  EXPECT_FALSE(played.complete);
  EXPECT_LT(played.end, longest_time);
}

// Every second job of an overload is left over, so that the backlog grows forever.
TEST(Simulator, AnOverloadEndsWhenItsBacklogIsTooLong) {
  const auto analysis = analysed(operations({needs(2, 1)}), Strategy::rate_monotonic);
  const auto played = simulate(analysis, {.horizon = longest_time, .most_unfinished = 1000});
  EXPECT_FALSE(played.complete);
  EXPECT_GT(played.releases, 1990u);
  EXPECT_LT(played.releases, 2010u);
}

// The time for each step must not grow with the backlog: with a search through it, this takes minutes.
TEST(Simulator, ALongBacklogIsPlayedAsFastAsAShortOne) {
  const auto analysis = analysed(operations({needs(2, 1)}), Strategy::rate_monotonic);
  const auto played = simulate(analysis, {.horizon = longest_time, .most_steps = 400'000});
  EXPECT_FALSE(played.complete);
  EXPECT_GT(played.releases, 200'000u);
  EXPECT_GT(played.misses, 100'000u);
}

}  // namespace
}  // namespace takt::scheduling
