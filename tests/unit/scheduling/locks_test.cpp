// Locks, their ceilings, and lanes that take one request at a time.
#include "schedulability/analysis/sensitivity.h"
#include "schedulability/model/declaration.h"
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "scheduling/output/report.h"
#include "sets.h"

namespace takt::scheduling::locks_test {
namespace {

Requirements with(Requirements wanted, std::vector<LockUse> locks) {
  wanted.locks = std::move(locks);
  return wanted;
}
Requirements in(const char* lane, Requirements wanted) {
  wanted.lane = lane;
  return wanted;
}
Requirements later(std::int64_t phase, Requirements wanted) {
  wanted.phase = Time(phase);
  return wanted;
}
Time slowest_of(const Analysis& analysis, Handle operation) {
  const auto played = simulate(analysis, {.horizon = Time(10'000), .critical_instant = false});
  return played.threads[thread_of(analysis, operation)].worst_response;
}

// Computed by hand. The ceiling of "bus" is the first's level, so that the third blocks the first and the
// second for 5, although the second does not use it. "own" delays none above the fourth.
TEST(Locks, ACeilingBlocksAllBelowIt) {
  const auto set =
      operations({with(needs(2, 20), {{"bus", Time(1)}}), needs(3, 30),
                  with(needs(6, 60), {{"bus", Time(5)}}), with(needs(7, 100), {{"own", Time(7)}})});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 2 + 5);
  EXPECT_EQ(response(analysis, 2), 3 + 2 + 5);
  EXPECT_EQ(response(analysis, 3), 6 + 3 + 2);
  EXPECT_EQ(response(analysis, 4), 7 + 6 + 3 + 2);
  ASSERT_EQ(analysis.shared.size(), 2u);
  EXPECT_EQ(analysis.shared[0].ceiling, 0);
  EXPECT_EQ(analysis.shared[1].ceiling, 3);
  const std::string text = report(set, analysis);
  EXPECT_TRUE(
      contains(text, "\nlock 'bus' on processor 0: its ceiling is level 0; held up to 5 ns, by '3'\n"))
      << text;
}

// The simulator reaches the bound but for the nanosecond by which the lock must be taken earlier.
TEST(Locks, TheBoundIsReached) {
  const auto set =
      operations({later(1, with(needs(2, 20), {{"bus", Time(1)}})), with(needs(6, 60), {{"bus", Time(5)}})});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 7);
  EXPECT_EQ(slowest_of(analysis, 1), Time(6));
}

TEST(Locks, DeclaredBlockingComesOnTop) {
  Requirements blocked = with(needs(2, 20), {{"bus", Time(1)}});
  blocked.blocking = Time(3);
  const auto analysis =
      analysed(operations({blocked, with(needs(6, 60), {{"bus", Time(5)}})}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 2 + 3 + 5);
}

// A job that waits twice for another processor can be blocked three times.
TEST(Locks, AJobIsBlockedAgainAfterItHasWaited) {
  Requirements there = needs(4, 0);
  there.processor = 1;
  Repository repository =
      operations({with(needs(2, 100), {{"bus", Time(1)}}), there, with(needs(6, 200), {{"bus", Time(5)}})});
  depend(repository, 1, 2, 2);
  EXPECT_EQ(response(analysed(repository, Strategy::rate_monotonic), 1), 2 + 2 * 4 + 3 * 5);
}

// A thread's time for a lock is the longest of its operations'.
TEST(Locks, CalleesHoldLocksForTheirThread) {
  Repository repository =
      operations({with(needs(2, 20), {{"bus", Time(1)}}), needs(3, 60), with(needs(2, 0), {{"bus", Time(2)}}),
                  with(needs(4, 0), {{"bus", Time(4)}})});
  depend(repository, 2, 3);
  depend(repository, 2, 4);
  EXPECT_EQ(response(analysed(repository, Strategy::rate_monotonic), 1), 2 + 4);
}

// Computed by hand. The lane has the first's level. The first waits for the longest lower request, the
// third's 6, but not for all of them; the second, outside of the lane, waits for the lane's requests each
// time.
TEST(Lanes, ALaneBlocksByItsLongestLowerRequest) {
  const auto set = operations(
      {in("pool", needs(2, 20)), needs(3, 30), in("pool", needs(6, 60)), in("pool", needs(4, 120))});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 2 + 6);
  EXPECT_EQ(response(analysis, 2), 3 + 2 + 6 + 4);
  EXPECT_EQ(response(analysis, 3), 6 + 2 + 4);
  EXPECT_EQ(response(analysis, 4), 4 + 2 + 6);
  const std::string text = report(set, analysis);
  EXPECT_TRUE(contains(
      text, "\nlane 'pool' on processor 0: its ceiling is level 0; one request takes up to 6 ns, by '3'\n"))
      << text;
}

// A thread outside has the lane's level, and may run after any request of the lane. The third request begins
// just before 0, when the first and the outside thread arrive, and the fourth at 11, when the first has run.
// From 21 on the outside thread runs twice, and then the first again: it arrived at 12 and ends at 32. So its
// response is at least 20, and the order within the lane must not shorten its bound.
TEST(Lanes, AThreadBesideALaneLetsItBeginLowerRequestsAgain) {
  const auto at = [](std::int32_t priority, Requirements wanted) {
    wanted.declared_priority = priority;
    return wanted;
  };
  const auto set = operations({in("pool", at(5, needs(0, 100))), in("pool", at(4, needs(1, 12, 30))),
                               in("pool", at(3, needs(10, 1000))), in("pool", at(3, needs(10, 1000))),
                               at(5, needs(5, 20, 40))});
  const auto analysis = analysed(set, Strategy::declared_priorities);
  EXPECT_GE(response(analysis, 2), 20);
  EXPECT_EQ(response(analysis, 2), 31);  // all of the level: 20 of lower requests, twice 5, and 1
}

// The lower request begins 1 ns before the most urgent one, which another thread above the lane delays too.
TEST(Lanes, ARequestThatHasBegunGoesOnAfterPreemption) {
  const auto set =
      operations({later(2, needs(1, 10)), later(1, in("pool", needs(2, 20))), in("pool", needs(6, 60))});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 2 + 6 + 1);
  EXPECT_EQ(slowest_of(analysis, 2), Time(8));
}

TEST(Locks, OfEarliestDeadlinesBlockingIsPartOfTheDemand) {
  const auto fits = [](std::int64_t held) {
    const auto set = operations(
        {with(needs(4, 20, 10), {{"bus", Time(1)}}), with(needs(9, 40, 40), {{"bus", Time(held)}})});
    return analysed(set, Strategy::earliest_deadline_first).verdict;
  };
  EXPECT_EQ(fits(6), Verdict::meets);
  EXPECT_EQ(fits(7), Verdict::unproven);
}

// The use of a lock is a part of its operation's execution time, and grows with it: 2 f + 5 f is at most 14.
TEST(Locks, GrowWithAllExecutionTimes) {
  const auto set =
      operations({with(needs(20, 200, 140), {{"bus", Time(10)}}), with(needs(60, 600), {{"bus", Time(50)}})});
  const auto found = sensitivity(set, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->scale_permille, 2000);
}

std::string unusable(const Repository& repository, Strategy strategy = Strategy::rate_monotonic) {
  PriorityOptions options;
  options.strategy = strategy;
  const auto analysis = analyse(repository, options);
  return analysis ? "" : text_of(analysis.error());
}

TEST(Locks, WhatIsNotUnderstoodIsRefused) {
  const Requirements user = with(needs(2, 20), {{"bus", Time(1)}});
  Requirements elsewhere = user;
  elsewhere.processor = 1;
  EXPECT_EQ(
      unusable(operations({user, elsewhere})),
      "operation '2' uses the lock 'bus' on processor 1, and '1' uses it on processor 0; only sharing on one "
      "processor is analysed");
  EXPECT_EQ(unusable(operations({user}), Strategy::minimum_laxity_first),
            "operation '1' has locks, which are analysed for rate monotonic, deadline monotonic and earliest "
            "deadline first priorities, not for minimum laxity first");
  EXPECT_TRUE(contains(unusable(operations({in("pool", needs(1, 10))}), Strategy::maximum_urgency_first),
                       "operation '1' has a lane, which"));
  Repository called = operations({needs(1, 10), in("pool", needs(1, 0))});
  depend(called, 1, 2);
  EXPECT_EQ(
      unusable(called),
      "operation '2' has the lane 'pool', but runs in the thread of '1', which calls it; declare a lock that "
      "it holds instead");
  Requirements there = needs(1, 0);
  there.processor = 1;
  Repository waiting = operations({in("pool", needs(1, 10)), there});
  depend(waiting, 1, 2);
  EXPECT_EQ(
      unusable(waiting),
      "operation '1' occupies the lane 'pool' while it waits for '2' on another processor, which is not "
      "analysed; leave the lane out if it has more threads");
}

std::string refused(const Requirements& wanted) {
  Repository repository;
  const auto set = repository.set(*repository.create("a"), wanted);
  return set ? "" : set.error().text;
}

TEST(Locks, WrongOnesAreRefused) {
  EXPECT_EQ(refused(with(needs(1, 9), {{"", Time(1)}})),
            "operation 'a' has a lock whose name is empty or has a control character");
  EXPECT_EQ(refused(with(needs(1, 9), {{"bus", Time(0)}})),
            "operation 'a' has the lock 'bus', held for 0 ns; the range is 1 to 9007199254740992 ns");
  EXPECT_EQ(refused(with(needs(1, 9), {{"bus", Time(1)}, {"bus", Time(2)}})),
            "operation 'a' has the lock 'bus' twice; give the longest time once");
  EXPECT_EQ(refused(in("a\x7f", needs(1, 9))), "operation 'a' has a lane whose name has a control character");
}

// One to three locks and lanes; on one or two processors with chains and waiting callers.
Repository any_set(RandomSets& random, bool distributed) {
  constexpr std::int64_t periods[] = {20, 24, 30, 40, 60, 80, 120, 240};
  Repository repository;
  const std::int64_t count = random.between(2, 7);
  for (const double part : random.utilisations(static_cast<std::size_t>(count),
                                               (distributed ? 0.6 : 0.3) + 0.6 * random.fraction())) {
    const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(part * static_cast<double>(period))),
                                period, random.between(period / 2, 2 * period));
    wanted.processor = distributed ? static_cast<std::int32_t>(random.between(0, 1)) : 0;
    const std::string place = std::to_string(wanted.processor);
    for (const char* name : {"a", "b"})
      if (random.between(0, 2) == 0)
        wanted.locks.push_back(
            {name + place,
             Time(random.between(1, std::max<std::int64_t>(1, wanted.worstcase_execution_time.count())))});
    const bool calls = distributed && random.between(0, 2) == 0;
    const bool waits = calls && random.between(0, 1) == 0;
    if (!waits && random.between(0, 2) == 0) wanted.lane = "lane " + place;
    if (random.between(0, 3) == 0) wanted.jitter = Time(random.between(0, period));
    const Handle caller = declare(repository, std::to_string(repository.infos().size() + 1), wanted);
    if (!calls) continue;
    Requirements called = needs(random.between(1, 5), 0);
    called.processor = 1 - wanted.processor;
    const std::string other = std::to_string(called.processor);
    if (random.between(0, 1) == 0) called.locks.push_back({"a" + other, Time(random.between(1, 4))});
    if (random.between(0, 2) == 0) called.lane = "lane " + other;
    const Handle callee = declare(repository, "callee of " + std::to_string(caller), called);
    depend(repository, caller, callee, random.between(1, 2),
           waits ? DependencyType::two_way : DependencyType::one_way);
  }
  return repository;
}

struct Count {
  int bounds = 0, met = 0, blocked = 0, reached = 0;
};

// Simulates each set from its critical instant and from five random phasings, and compares with the bounds.
Count no_contradiction(std::uint64_t seed, int sets, Strategy strategy, bool distributed) {
  RandomSets random(seed);
  Count count;
  for (int i = 0; i < sets && !testing::Test::HasFailure(); ++i) {
    Repository repository = any_set(random, distributed);
    std::vector<Time> worst;
    for (int phasing = 0; phasing < 6; ++phasing) {
      for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end()))
        repository.at_valid(each.handle).phase = Time(phasing == 0 ? 0 : random.between(0, 60));
      const auto analysis = analysed(repository, strategy, i % 3 != 0);
      const auto played = simulate(analysis, {.horizon = Time(2'000), .critical_instant = phasing == 0});
      worst.resize(analysis.threads.size());
      for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
        const auto& trigger = analysis.threads[k].trigger;
        if (trigger && trigger->type == DependencyType::two_way) continue;
        const ThreadResult& said = analysis.results[k];
        const std::string what = "seed " + std::to_string(seed) + ", set " + std::to_string(i) +
                                 ", phasing " + std::to_string(phasing) + ", thread " + std::to_string(k);
        if (said.verdict == Verdict::meets) {
          EXPECT_EQ(played.threads[k].misses, 0u) << what;
        }
        worst[k] = std::max(worst[k], played.threads[k].worst_response);
        if (said.response) {
          EXPECT_LE(worst[k], *said.response) << what << toml_of(declarations_of(repository, ""));
        }
        if (phasing < 5) continue;
        const bool blocked = said.load.blocking > 0 || said.demand_blocking > Time(0);
        count.bounds += said.response.has_value();
        count.met += said.verdict == Verdict::meets;
        count.blocked += blocked && said.verdict == Verdict::meets;
        count.reached += blocked && said.response && worst[k] >= *said.response - Time(1);
      }
    }
  }
  return count;
}

TEST(Locks, RandomSetsKeepTheirBounds) {
  const Count count = no_contradiction(41, 2000, Strategy::deadline_monotonic, false);
  EXPECT_GT(count.blocked, 2000);
  EXPECT_GT(count.reached, 50) << "the bounds are near to what happens";
}
TEST(Locks, RandomSystemsKeepTheirBounds) {
  EXPECT_GT(no_contradiction(42, 1500, Strategy::deadline_monotonic, true).blocked, 1000);
}
TEST(Locks, RandomSetsOfEarliestDeadlinesKeepThem) {
  EXPECT_GT(no_contradiction(43, 2000, Strategy::earliest_deadline_first, false).blocked, 1000);
}

}  // namespace
}  // namespace takt::scheduling::locks_test
