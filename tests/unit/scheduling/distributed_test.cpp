// Several processors with chains and calls between them.
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

Requirements on(std::int32_t processor, Requirements wanted) {
  wanted.processor = processor;
  return wanted;
}

TEST(Distributed, ProcessorsAreJudgedApart) {
  const auto repository = operations({on(0, needs(6, 10)), on(1, needs(6, 10)), on(1, needs(6, 20))});
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  ASSERT_EQ(analysis.processors.size(), 2u);
  EXPECT_EQ(analysis.processors[0].verdict, Verdict::meets);
  EXPECT_EQ(analysis.processors[1].verdict, Verdict::meets);
  EXPECT_EQ(response(analysis, 3), 18);
}

// Computed by hand. Processor 0: a (1 of 10), b (2 of 20), which starts c on processor 1 (3), below d (4 of
// 12). R(a) = 1, R(b) = 2 + 1 = 3; d = 4; c: released up to 3 late, 3 + 4 = 7, so 10 after the arrival of b.
TEST(Distributed, AChainAddsItsResponses) {
  Repository repository =
      operations({on(0, needs(1, 10)), on(0, needs(2, 20)), on(1, needs(3, 0)), on(1, needs(4, 12))});
  depend(repository, 2, 3, 1, DependencyType::one_way);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 3);
  EXPECT_EQ(response(analysis, 3), 10);
  EXPECT_EQ(result(analysis, 3).load.jitter, 3);
  EXPECT_EQ(analysis.verdict, Verdict::meets);
}

// A late release from another processor interferes more: two releases of c within d's window instead of one.
TEST(Distributed, JitterOfAChainDisturbsOthers) {
  Repository repository = operations({on(0, needs(8, 10)), on(1, needs(2, 0)), on(1, needs(4, 12))});
  depend(repository, 1, 2, 1, DependencyType::one_way);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  // 4 + 2 = 6 with releases 10 apart; with jitter 8, ceil((w + 8) / 10) 2 = 4, so 8.
  EXPECT_EQ(response(analysis, 3), 8);
}

// Computed by hand. The caller (2 of 50) waits twice for 5, which d (3 of 20) delays by 3 each time: 2 + 2 *
// 8 = 18.
TEST(Distributed, ACallerWaitsForItsCalls) {
  Repository repository = operations({on(0, needs(2, 50)), on(1, needs(5, 0)), on(1, needs(3, 20))});
  depend(repository, 1, 2, 2);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 18);
  EXPECT_EQ(response(analysis, 2), 8);
  EXPECT_EQ(analysis.verdict, Verdict::meets);
}

// Computed by hand. Three threads of the caller call at the same time, and the last call waits for two others
// of 4: it responds in 12, which is after its deadline of 10. One caller at a time is answered in 4.
TEST(Distributed, CallsOfSeveralThreadsWaitForEachOther) {
  const auto with_threads = [](std::int32_t threads) {
    auto caller = on(0, needs(1, 100));
    caller.threads = threads;
    Repository repository = operations({caller, on(1, needs(4, 0, 10))});
    depend(repository, 1, 2);
    return analysed(repository, Strategy::rate_monotonic);
  };
  EXPECT_EQ(response(with_threads(1), 2), 4);
  EXPECT_EQ(with_threads(1).verdict, Verdict::meets);
  EXPECT_EQ(response(with_threads(3), 2), 12);
  EXPECT_EQ(with_threads(3).verdict, Verdict::unproven);
}

// Two threads call twice each, and one of them may call again before the other's first call is served.
TEST(Distributed, ACallMayWaitForAllCallsOfOtherThreads) {
  auto caller = on(0, needs(1, 100));
  caller.threads = 2;
  Repository repository = operations({caller, on(1, needs(4, 0))});
  depend(repository, 1, 2, 2);
  EXPECT_EQ(response(analysed(repository, Strategy::rate_monotonic), 2), 12);
}

// As many one-way calls at once start as many jobs, each of which waits for a call of 4.
TEST(Distributed, CallsOfJobsThatWereStartedTogetherWaitForEachOther) {
  Repository repository = operations({on(0, needs(1, 100)), on(0, needs(1, 0)), on(1, needs(4, 0, 7))});
  depend(repository, 1, 2, 2, DependencyType::one_way);
  depend(repository, 2, 3);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 3), 8);
  EXPECT_EQ(result(analysis, 3).verdict, Verdict::unproven);
}

// Two chains that delay each other without end.
TEST(Distributed, WhatDoesNotSettleIsUnproven) {
  Repository repository =
      operations({on(0, needs(6, 10)), on(1, needs(6, 0, 30)), on(1, needs(6, 11)), on(0, needs(4, 0, 30))});
  depend(repository, 1, 2, 1, DependencyType::one_way);
  depend(repository, 3, 4, 1, DependencyType::one_way);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_NE(analysis.verdict, Verdict::meets);
}

// The first operation starts the next one, and so on; each but the first has a processor of its own.
Repository long_chain(Handle length, std::int64_t execution) {
  Repository repository;
  declare(repository, "1", on(0, needs(execution, 1000)));
  for (Handle i = 2; i <= length; ++i) {
    declare(repository, std::to_string(i), on(i, needs(0, 0)));
    depend(repository, i - 1, i, 1, DependencyType::one_way);
  }
  return repository;
}

TEST(Distributed, TheLastOfALongChainWaitsForItsFirst) {
  const auto analysis = analysed(long_chain(150, 10), Strategy::rate_monotonic);
  for (Handle i = 1; i <= 150; ++i) EXPECT_EQ(response(analysis, i), 10) << i;
}

// Beyond the limit of rounds, there are no bounds rather than wrong ones.
TEST(Distributed, NoResponseOfALongerChainIsShorterThanThatOfItsFirst) {
  Repository repository = long_chain(1200, 10);
  Requirements last = repository[1200];
  last.criticality = Criticality::high;
  last.deadline = Time(5);
  ASSERT_TRUE(repository.set(1200, last));
  for (const Strategy strategy : {Strategy::rate_monotonic, Strategy::maximum_urgency_first}) {
    const auto analysis = analysed(repository, strategy, false);
    for (Handle i = 1; i <= 1200; ++i)
      EXPECT_TRUE(response(analysis, i) == -1 || response(analysis, i) >= 10) << i;
    EXPECT_NE(result(analysis, 1200).verdict, Verdict::meets);
    EXPECT_NE(analysis.critical_verdict, Verdict::meets);
  }
}

// The chains are 10, 6 and 2 long. Counted as jitter of each other, their responses would reach 100 and more.
TEST(Distributed, ChainsOfOneProcessorEndBeforeItHasNothingToDo) {
  Repository set =
      operations({needs(6, 20), needs(4, 20), needs(2, 20), needs(1, 0), needs(3, 0), needs(2, 0)});
  depend(set, 1, 4, 1, DependencyType::one_way);
  depend(set, 4, 5, 1, DependencyType::one_way);
  depend(set, 2, 6, 1, DependencyType::one_way);
  for (const Strategy strategy :
       {Strategy::rate_monotonic, Strategy::earliest_deadline_first, Strategy::minimum_laxity_first}) {
    const auto analysis = analysed(set, strategy, false);
    EXPECT_EQ(analysis.verdict, Verdict::meets);
    for (Handle i = 1; i <= 6; ++i) EXPECT_LE(response(analysis, i), 18) << i;
    EXPECT_EQ(response(analysis, 5), 18);
  }
}

TEST(Distributed, TheJitterOfAChainAndWhatDelaysItAreInItsProcessorsBound) {
  Requirements late = needs(3, 20), blocked = needs(2, 0);
  late.jitter = Time(5);
  blocked.blocking = Time(4);
  Repository set = operations({late, needs(5, 40), blocked});
  ASSERT_TRUE(set.add_reservation({"camera", Time(2), Time(10), 0}));
  depend(set, 1, 3, 1, DependencyType::one_way);
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  // Two jobs of the chain, one of the other thread, and four budgets of the reservation.
  EXPECT_LE(response(analysis, 3), 2 * 9 + 5 + 4 * 2 + 5);
  // Without a bound of the processor there may still be one of the thread.
  Repository beyond = operations({needs(8, 20), needs(13, 20), needs(1, 0)});
  depend(beyond, 1, 3, 1, DependencyType::one_way);
  EXPECT_EQ(response(analysed(beyond, Strategy::rate_monotonic), 3), -1);
}

struct Links {
  bool one_way = false, two_way = false;
};

// Up to three processors; a third of the operations are called by others.
Repository random_system(RandomSets& random, const Links& links) {
  constexpr std::int64_t periods[] = {20, 24, 30, 40, 60, 80, 120, 240};
  Repository repository;
  const std::int64_t count = random.between(3, 9);
  for (const double each :
       random.utilisations(static_cast<std::size_t>(count), 0.4 + 1.2 * random.fraction())) {
    const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
    const auto handle = static_cast<Handle>(repository.infos().size() + 1);
    const bool called = handle > 1 && random.between(0, 2) == 0;
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(each * static_cast<double>(period))),
                                called ? 0 : period);
    wanted.processor = static_cast<std::int32_t>(random.between(0, 2));
    declare(repository, std::to_string(handle), wanted);
    if (!called) continue;
    const auto caller = static_cast<Handle>(random.between(1, handle - 1));
    const bool waits = links.two_way && (!links.one_way || random.between(0, 1) == 0);
    depend(repository, caller, handle, random.between(1, 2),
           waits ? DependencyType::two_way : DependencyType::one_way);
  }
  return repository;
}

// No simulation, with a synchronous release or random phases, may be slower than the bound.
void no_contradiction(std::uint64_t seed, Strategy strategy, const Links& links, int least_met) {
  RandomSets random(seed);
  int met = 0;
  for (int i = 0; i < 400 && !testing::Test::HasFailure(); ++i) {
    Repository repository = random_system(random, links);
    for (const bool together : {true, false}) {
      if (!together)
        for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end())) {
          Requirements wanted = each;
          wanted.phase = Time(random.between(0, 60));
          EXPECT_TRUE(repository.set(each.handle, wanted));
        }
      const auto analysis = analysed(repository, strategy, i % 2 == 0);
      const auto played = simulate(analysis, {.horizon = Time(2'000), .critical_instant = together});
      for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
        const auto& trigger = analysis.threads[k].trigger;
        if (trigger && trigger->type == DependencyType::two_way) continue;
        const ThreadResult& said = analysis.results[k];
        met += said.verdict == Verdict::meets;
        if (said.verdict == Verdict::meets) {
          EXPECT_EQ(played.threads[k].misses, 0u) << "seed " << seed << ", system " << i << ", thread " << k;
        }
        if (said.response) {
          EXPECT_LE(played.threads[k].worst_response, *said.response) << "seed " << seed << ", system " << i;
        }
      }
    }
  }
  EXPECT_GT(met, least_met);
}

TEST(Distributed, ChainsKeepTheirBounds) {
  no_contradiction(11, Strategy::rate_monotonic, {.one_way = true}, 800);
}
TEST(Distributed, CallersThatWaitKeepTheirBounds) {
  no_contradiction(12, Strategy::rate_monotonic, {.two_way = true}, 800);
}
TEST(Distributed, MixturesKeepTheirBounds) {
  no_contradiction(13, Strategy::deadline_monotonic, {.one_way = true, .two_way = true}, 800);
}
TEST(Distributed, ChainsOfEarliestDeadlinesKeepTheirBounds) {
  no_contradiction(14, Strategy::earliest_deadline_first, {.one_way = true}, 800);
}
TEST(Distributed, MixturesOfMaximumUrgencyKeepTheirBounds) {
  no_contradiction(15, Strategy::maximum_urgency_first, {.one_way = true, .two_way = true}, 800);
}

}  // namespace
}  // namespace takt::scheduling
