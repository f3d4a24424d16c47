// Operations that are released in bursts.
#include "schedulability/model/declaration.h"
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "scheduling/output/report.h"
#include "scheduling/output/run_time_entries.h"
#include "scheduling/scheduler.h"
#include "sets.h"

namespace takt::scheduling::bursts_test {
namespace {

Requirements burst(std::int32_t count, std::int64_t distance, Requirements wanted) {
  wanted.burst = count;
  wanted.distance = Time(distance);
  return wanted;
}

// Computed by hand. Three jobs of 2 at 0, 4 and 8 of each 30: the second operation (5) runs in the gaps from
// 2 to 4, from 6 to 8, and from 10 to 11. If all three came at once, it would be done at 11 too, but a fourth
// operation that fits into a gap would not.
TEST(Bursts, GapsAreUsed) {
  const auto set = operations({burst(3, 4, needs(2, 30)), needs(2, 40)});
  EXPECT_EQ(response(analysed(set, Strategy::rate_monotonic), 2), 4);
  EXPECT_EQ(response(analysed(set, Strategy::rate_monotonic), 1), 2);
  const auto longer = operations({burst(3, 4, needs(2, 30)), needs(5, 40)});
  EXPECT_EQ(response(analysed(longer, Strategy::rate_monotonic), 2), 11);
  const auto at_once = operations({burst(3, 0, needs(2, 30)), needs(2, 40)});
  EXPECT_EQ(response(analysed(at_once, Strategy::rate_monotonic), 2), 8);
  EXPECT_EQ(response(analysed(at_once, Strategy::rate_monotonic), 1), 6);
}

// Each job of the burst waits for the one before it: 5, 10 - 3, 15 - 6.
TEST(Bursts, TheLastJobOfADenseBurstIsTheSlowest) {
  const auto analysis =
      analysed(operations({burst(3, 3, needs(5, 40, 8)), needs(1, 100)}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 9);
  EXPECT_EQ(result(analysis, 1).found.job, 2);
  EXPECT_EQ(result(analysis, 1).verdict, Verdict::misses);
}

TEST(Bursts, DeadlinesOfABurstAreLaterEach) {
  const auto verdict = [](std::int64_t distance) {
    return analysed(operations({burst(2, distance, needs(4, 20, 5)), needs(2, 20)}),
                    Strategy::earliest_deadline_first)
        .verdict;
  };
  EXPECT_EQ(verdict(3), Verdict::meets);
  EXPECT_EQ(verdict(2), Verdict::misses);
}

TEST(Bursts, TheReportAndTheTableHaveThem) {
  Scheduler scheduler({}, operations({burst(3, 4, needs(2, 30)), needs(2, 40)}));
  const auto infos = scheduler.compute_scheduling(1, 99);
  ASSERT_TRUE(infos);
  const std::string text = report(scheduler.repository(), *scheduler.analysis());
  EXPECT_TRUE(contains(text, "6 ns         3 x 30 ns    30 ns        2 ns")) << text;
  EXPECT_TRUE(contains(text, "2 threads use 25.0 %\n")) << text;
  const auto entries = run_time_entries(*infos, *scheduler.analysis());
  EXPECT_EQ(entries[0].period, Time(10)) << "3 in 30 on average";
  EXPECT_EQ(entries[0].burst, 3);
  EXPECT_EQ(entries[1].period, Time(40));
  EXPECT_EQ(entries[1].burst, 1);
  EXPECT_EQ(entries[0].execution, Time(2));
  EXPECT_EQ(entries[0].deadline, Time(30));
}

// Each of an operation's threads is released once a period, and has its own call's time.
TEST(Bursts, TheRunTimeTableHasOneCallOfEachThread) {
  auto three = needs(5, 99);
  three.threads = 3;
  Scheduler scheduler({}, operations({three, needs(5, 99)}));
  const auto infos = scheduler.compute_scheduling(1, 99);
  ASSERT_TRUE(infos) << infos.error().text;
  const auto entries = run_time_entries(*infos, *scheduler.analysis());
  EXPECT_EQ(entries[0].execution, Time(5));
  EXPECT_EQ(entries[0].period, Time(33));
  EXPECT_EQ(entries[0].burst, 3);
  EXPECT_EQ(entries[0].deadline, Time(99));
  EXPECT_EQ(entries[1].execution, Time(5));
  EXPECT_EQ(entries[1].period, Time(99));
  EXPECT_EQ(entries[1].burst, 1);
}

std::string refused(const Requirements& wanted) {
  Repository repository;
  const auto set = repository.set(*repository.create("a"), wanted);
  return set ? "" : set.error().text;
}

TEST(Bursts, WrongOnesAreRefused) {
  EXPECT_EQ(refused(burst(0, 0, needs(1, 10))),
            "operation 'a' has a burst of 0 releases; the range is 1 to 1000");
  EXPECT_EQ(refused(burst(1001, 0, needs(1, 10))),
            "operation 'a' has a burst of 1001 releases; the range is 1 to 1000");
  EXPECT_EQ(refused(burst(1, 5, needs(1, 10))),
            "operation 'a' has the distance 5 ns but no burst whose releases it keeps apart");
  EXPECT_EQ(refused(burst(2, 5, needs(1, 0))),
            "operation 'a' has a burst of 2 releases but no period, the time between bursts");
  EXPECT_EQ(refused(burst(2, 6, needs(1, 10))),
            "operation 'a' has a burst of 2 releases with the distance 6 ns, which does not fit into its "
            "period, 10 "
            "ns");
  Requirements clocked = burst(2, 5, needs(1, 10));
  clocked.transaction = "clock";
  EXPECT_EQ(
      refused(clocked),
      "operation 'a' has a burst of 2 releases and the transaction 'clock', which releases it once a period; "
      "leave one of them out");
  EXPECT_TRUE(contains(refused(burst(2, -1, needs(1, 10))), "its distance, -1 ns, is negative"));
}

std::string unusable(const Repository& repository) {
  const auto analysis = analyse(repository, {});
  return analysis ? "" : text_of(analysis.error());
}

TEST(Bursts, WhatIsNotUnderstoodIsRefused) {
  Requirements there = needs(1, 0);
  there.processor = 1;
  Repository waiting = operations({burst(2, 1, needs(1, 10)), there});
  depend(waiting, 1, 2);
  EXPECT_EQ(
      unusable(waiting),
      "operation '1' has bursts and waits for '2' on another processor, which is not analysed; declare its "
      "releases without a burst");
  Repository called = operations({needs(1, 10), burst(2, 1, needs(1, 10))});
  depend(called, 1, 2);
  EXPECT_EQ(unusable(called),
            "operation '2' has a burst, but is called by another operation; declare the burst there");
  Requirements huge = burst(1000, 0, needs(1, 10));
  huge.worstcase_execution_time = longest_time / 100;
  EXPECT_TRUE(
      contains(unusable(operations({huge})), "take, with their callees, longer than can be analysed"));
}

// The same jobs all at once, as they had to be declared without bursts: as threads of the operation.
Repository at_once(const Repository& repository) {
  Repository result = repository;
  for (const RtInfo& each : repository.infos()) {
    RtInfo& info = result.at_valid(each.handle);
    info.threads = info.burst;
    info.burst = 1;
    info.distance = Time(0);
  }
  return result;
}

Repository any_set(RandomSets& random, bool chains) {
  constexpr std::int64_t periods[] = {20, 24, 30, 40, 60, 80, 120, 240};
  Repository repository;
  const std::int64_t count = random.between(2, 6);
  for (const double part :
       random.utilisations(static_cast<std::size_t>(count), 0.4 + 0.55 * random.fraction())) {
    const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
    Requirements wanted = needs(1, period, random.between(1, 3 * period));
    wanted.burst = static_cast<std::int32_t>(random.between(1, 4));
    if (wanted.burst > 1) wanted.distance = Time(random.between(0, period / wanted.burst));
    const double time = part * static_cast<double>(period) / wanted.burst;
    wanted.worstcase_execution_time = Time(std::max<std::int64_t>(1, std::llround(time)));
    if (random.between(0, 1) == 0) wanted.jitter = Time(random.between(0, period));
    const Handle caller = declare(repository, std::to_string(repository.infos().size() + 1), wanted);
    if (!chains || random.between(0, 1) == 0) continue;
    Requirements called = needs(random.between(1, 4), 0);
    called.processor = static_cast<std::int32_t>(random.between(0, 1));
    const Handle callee = declare(repository, "after " + std::to_string(caller), called);
    depend(repository, caller, callee, 1, DependencyType::one_way);
  }
  return repository;
}

TEST(Bursts, ResponsesAreExactAndShorterThanAtOnce) {
  RandomSets random(51);
  int bounds = 0, shorter = 0, missed = 0;
  for (int i = 0; i < 3000 && !testing::Test::HasFailure(); ++i) {
    const Repository repository = any_set(random, false);
    const Analysis analysis = analysed(repository, Strategy::deadline_monotonic);
    if (analysis.processors[0].utilisation > 0.99) continue;
    const Analysis before = analysed(at_once(repository), Strategy::deadline_monotonic);
    const auto played = simulate(analysis, {.horizon = Time(1'000'000), .stop_when_idle = true});
    for (std::size_t k = 0; k < analysis.threads.size(); ++k, ++bounds) {
      const std::string what = "seed 51, set " + std::to_string(i) + ", thread " + std::to_string(k);
      const ThreadResult& said = analysis.results[k];
      EXPECT_EQ(said.response, played.threads[k].worst_response) << what;
      EXPECT_EQ(said.verdict == Verdict::misses, played.threads[k].misses > 0) << what;
      EXPECT_LE(said.response, before.results[k].response) << what;
      shorter += said.response < before.results[k].response;
      missed += said.verdict == Verdict::misses;
    }
  }
  EXPECT_GT(bounds, 5000);
  EXPECT_GT(shorter, 2000);
  EXPECT_GT(missed, 500);
}

void no_contradiction(std::uint64_t seed, Strategy strategy, int least_met) {
  RandomSets random(seed);
  int met = 0;
  for (int i = 0; i < 700 && !testing::Test::HasFailure(); ++i) {
    Repository repository = any_set(random, true);
    for (int phasing = 0; phasing < 3; ++phasing) {
      for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end()))
        repository.at_valid(each.handle).phase = Time(phasing == 0 ? 0 : random.between(0, 60));
      const Analysis analysis = analysed(repository, strategy, i % 2 == 0);
      const auto played = simulate(analysis, {.horizon = Time(2'000), .critical_instant = phasing == 0});
      for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
        const std::string what = "seed " + std::to_string(seed) + ", system " + std::to_string(i);
        const ThreadResult& said = analysis.results[k];
        met += said.verdict == Verdict::meets;
        if (said.verdict == Verdict::meets) {
          EXPECT_EQ(played.threads[k].misses, 0u) << what;
        }
        if (said.response) {
          EXPECT_LE(played.threads[k].worst_response, *said.response) << what;
        }
      }
    }
  }
  EXPECT_GT(met, least_met);
}

TEST(Bursts, ChainsOfFixedPrioritiesKeepTheirBounds) {
  no_contradiction(52, Strategy::deadline_monotonic, 2500);
}
TEST(Bursts, ChainsOfEarliestDeadlinesKeepTheirBounds) {
  no_contradiction(53, Strategy::earliest_deadline_first, 2500);
}

}  // namespace
}  // namespace takt::scheduling::bursts_test
