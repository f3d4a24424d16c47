// Task sets with published results. Each test names its source.
#include <string>

#include "schedulability/analysis/bounds.h"
#include "schedulability/simulation/simulator.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

using enum Strategy;

std::vector<std::int64_t> responses(const Repository& repository, Strategy strategy) {
  const Analysis analysis = analysed(repository, strategy);
  std::vector<std::int64_t> all;
  for (const RtInfo& each : repository.infos()) all.push_back(response(analysis, each.handle));
  return all;
}
Verdict verdict(const Repository& repository, Strategy strategy) {
  return analysed(repository, strategy).verdict;
}
Verdict verdict(const Repository& repository, Strategy strategy, Handle handle) {
  return result(analysed(repository, strategy), handle).verdict;
}
ProcessorResult processor(const Repository& repository) {
  return analysed(repository, rate_monotonic).processors.at(0);
}

using Times = std::vector<std::int64_t>;

// Liu and Layland, "Scheduling Algorithms for Multiprogramming in a Hard-Real-Time Environment", Journal of
// the ACM 20(1), 1973.
TEST(LiuLayland1973, Theorem5TheBoundForAnyNumberOfTasks) {
  EXPECT_DOUBLE_EQ(liu_layland_bound(1), 1.0);
  EXPECT_NEAR(liu_layland_bound(2), 0.8284, 5e-5);  // 2 (sqrt 2 - 1), theorem 3
  EXPECT_NEAR(liu_layland_bound(3), 0.7798, 5e-5);
  EXPECT_NEAR(liu_layland_bound(1'000'000), 0.6931, 5e-5);  // ln 2
}

// Section 4: T1 = 2, T2 = 5, C1 = C2 = 1; C2 can be increased to 2 but not further.
TEST(LiuLayland1973, Section4TheMoreFrequentTaskFirst) {
  EXPECT_EQ(verdict(operations({needs(10, 20), needs(10, 50)}), rate_monotonic), Verdict::meets);
  EXPECT_EQ(verdict(operations({needs(10, 20), needs(20, 50)}), rate_monotonic), Verdict::meets);
  EXPECT_EQ(verdict(operations({needs(10, 20), needs(21, 50)}), rate_monotonic), Verdict::misses);
}

// Section 4, in the other order: neither C1 nor C2 can be increased beyond 1. Here deadlines serve only to
// put the second first.
TEST(LiuLayland1973, Section4TheLessFrequentTaskFirst) {
  const auto reversed = [](std::int64_t c1, std::int64_t c2) {
    return verdict(operations({needs(c1, 20, 20), needs(c2, 50, 19)}), deadline_monotonic);
  };
  EXPECT_EQ(reversed(10, 10), Verdict::meets);
  EXPECT_EQ(reversed(11, 10), Verdict::misses);
  EXPECT_EQ(reversed(10, 11), Verdict::misses);
}

// Section 9: T = 3, 4, 5 and C1 = C2 = 1; rate monotonic allows C3 = 1, earliest deadline first allows 2.
TEST(LiuLayland1973, Section9ThreeTasks) {
  EXPECT_EQ(verdict(operations({needs(1, 3), needs(1, 4), needs(1, 5)}), rate_monotonic), Verdict::meets);
  EXPECT_EQ(verdict(operations({needs(1, 3), needs(1, 4), needs(2, 5)}), rate_monotonic), Verdict::misses);
  EXPECT_EQ(verdict(operations({needs(1, 3), needs(1, 4), needs(2, 5)}), earliest_deadline_first),
            Verdict::meets);
}

// Theorem 7: earliest deadline first meets deadlines up to full utilisation, and not beyond.
TEST(LiuLayland1973, Theorem7DeadlinesUseAProcessorFully) {
  EXPECT_EQ(verdict(operations({needs(1, 2), needs(1, 3), needs(1, 6)}), earliest_deadline_first),
            Verdict::meets);
  EXPECT_EQ(verdict(operations({needs(1, 2), needs(1, 3), needs(2, 6)}), earliest_deadline_first),
            Verdict::misses);
}

// Sha and Goodenough, "Real-Time Scheduling Theory and Ada", IEEE Computer 23(4), 1990: 20/100, 40/150,
// 100/350 have a utilisation of 0.753 and pass the test, whose bound is 0.779.
TEST(ShaGoodenough1990, Example1) {
  const auto set = operations({needs(20, 100), needs(40, 150), needs(100, 350)});
  EXPECT_NEAR(processor(set).utilisation, 0.753, 1e-3);
  EXPECT_NEAR(*processor(set).liu_layland, 0.779, 1e-3);
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::meets);
}

// With C1 = 40 it is 0.953 and fails the test, but the third task ends at 300 and meets its deadline; the
// same set is in Lehoczky, Sha and Ding, "The Rate Monotonic Scheduling Algorithm", RTSS 1989.
TEST(ShaGoodenough1990, Example2) {
  const auto set = operations({needs(40, 100), needs(40, 150), needs(100, 350)});
  EXPECT_NEAR(processor(set).utilisation, 0.953, 1e-3);
  EXPECT_GT(processor(set).utilisation, *processor(set).liu_layland);
  EXPECT_EQ(responses(set, rate_monotonic), (Times{40, 80, 300}));
}

// Burns and Wellings, "Real-Time Systems and Programming Languages", the chapter on scheduling: task sets A
// to D.
TEST(BurnsWellings, TaskSetAFailsTheTestAndMisses) {
  const auto set = operations({needs(12, 50), needs(10, 40), needs(10, 30)});
  EXPECT_NEAR(processor(set).utilisation, 0.82, 5e-3);
  EXPECT_EQ(verdict(set, rate_monotonic, 1), Verdict::misses);
  EXPECT_EQ(verdict(set, rate_monotonic, 2), Verdict::meets);
  EXPECT_EQ(verdict(set, rate_monotonic, 3), Verdict::meets);
  // "At time 50 task a has missed its deadline."
  const auto played = simulate(analysed(set, rate_monotonic), {.horizon = Time(600)});
  EXPECT_EQ(played.threads[0].first_miss, Time(50));
}
TEST(BurnsWellings, TaskSetBPassesTheTest) {
  const auto set = operations({needs(32, 80), needs(5, 40), needs(4, 16)});
  EXPECT_DOUBLE_EQ(processor(set).utilisation, 0.775);
  EXPECT_LT(processor(set).utilisation, *processor(set).liu_layland);
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::meets);
}
TEST(BurnsWellings, TaskSetCUsesAllAndMeets) {
  const auto set = operations({needs(40, 80), needs(10, 40), needs(5, 20)});
  EXPECT_DOUBLE_EQ(processor(set).utilisation, 1.0);
  EXPECT_EQ(responses(set, rate_monotonic), (Times{80, 15, 5}));
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::meets);
}
TEST(BurnsWellings, TaskSetDHasResponses3And6And20) {
  const auto set = operations({needs(3, 7), needs(3, 12), needs(5, 20)});
  EXPECT_EQ(responses(set, rate_monotonic), (Times{3, 6, 20}));
}
// The example of deadlines before the end of periods: (T, D, C) = (20, 5, 3), (15, 7, 3), (10, 10, 4), (20,
// 20, 3).
TEST(BurnsWellings, DeadlineMonotonicHasResponses3And6And10And20) {
  const auto set = operations({needs(3, 20, 5), needs(3, 15, 7), needs(4, 10, 10), needs(3, 20, 20)});
  EXPECT_EQ(responses(set, deadline_monotonic), (Times{3, 6, 10, 20}));
  EXPECT_EQ(verdict(set, deadline_monotonic), Verdict::meets);
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::misses);
}

// Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary Deadlines", RTSS 1990: (C, T) =
// (26, 70), (62, 100). The jobs of the second, in a busy period of 694, respond in 114, 102, 116, 104, 118,
// 106 and 94.
TEST(Lehoczky1990, TheFirstJobIsNotTheSlowest) {
  const auto set = operations({needs(26, 70), needs(62, 100, 118)});
  const auto analysis = analysed(set, rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 118);
  EXPECT_EQ(result(analysis, 2).found.job, 4);
  EXPECT_EQ(result(analysis, 2).verdict, Verdict::meets);
  EXPECT_EQ(verdict(operations({needs(26, 70), needs(62, 100, 117)}), rate_monotonic, 2), Verdict::misses);
}
TEST(Lehoczky1990, TheBusyPeriodHasSevenJobs) {
  const auto analysis = analysed(operations({needs(26, 70), needs(62, 100, 118)}), rate_monotonic);
  const auto played = simulate(analysis, {.horizon = Time(10'000), .stop_when_idle = true});
  EXPECT_EQ(played.end, Time(694));
  EXPECT_EQ(played.threads[1].jobs, 7u);
}

// Liu, "Real-Time Systems", Prentice Hall 2000. Section 6.5, time-demand analysis of (3, 1), (5, 1.5), (7,
// 1.25), (9, 0.5): they end at 1, 2.5, 4.75 and 9.
TEST(Liu2000, TimeDemandOfFourTasks) {
  const auto set = operations({needs(100, 300), needs(150, 500), needs(125, 700), needs(50, 900)});
  EXPECT_EQ(responses(set, rate_monotonic), (Times{100, 250, 475, 900}));
}
// Section 6.4: (2, 1) and (5, 2.5) use the whole processor; no fixed priorities schedule them, earliest
// deadline first does.
TEST(Liu2000, FixedPrioritiesAreNotOptimal) {
  const auto set = operations({needs(10, 20), needs(25, 50)});
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::misses);
  EXPECT_EQ(verdict(set, earliest_deadline_first), Verdict::meets);
  EXPECT_EQ(verdict(set, minimum_laxity_first), Verdict::meets);
}
// Section 6.1: (50, 25, D 100), (62.5, 10, D 20), (125, 25, D 50): deadline-monotonic is feasible,
// rate-monotonic is not.
TEST(Liu2000, DeadlineMonotonicWhereRateMonotonicFails) {
  const auto set = operations({needs(250, 500, 1000), needs(100, 625, 200), needs(250, 1250, 500)});
  EXPECT_EQ(verdict(set, deadline_monotonic), Verdict::meets);
  EXPECT_EQ(verdict(set, rate_monotonic), Verdict::misses);
}

// Buttazzo, "Hard Real-Time Computing Systems", chapter 4. Deadline-monotonic example: (C, T, D) = (1, 4, 3),
// (1, 5, 4), (2, 6, 5), (1, 11, 10); the fourth ends at 10.
TEST(Buttazzo, DeadlineMonotonicFourthTaskIsDoneAt10) {
  const auto set = operations({needs(1, 4, 3), needs(1, 5, 4), needs(2, 6, 5), needs(1, 11, 10)});
  EXPECT_EQ(responses(set, deadline_monotonic)[3], 10);
  EXPECT_EQ(verdict(set, deadline_monotonic), Verdict::meets);
}
// EDF against RM: (2, 5), (4, 7), a utilisation of 34/35: RM misses at 7, EDF does not.
TEST(Buttazzo, RateMonotonicMissesAtSevenWhatDeadlinesMeet) {
  const auto set = operations({needs(2, 5), needs(4, 7)});
  const auto analysis = analysed(set, rate_monotonic);
  EXPECT_EQ(analysis.verdict, Verdict::misses);
  EXPECT_EQ(simulate(analysis, {.horizon = Time(35)}).threads[1].first_miss, Time(7));
  EXPECT_EQ(verdict(set, earliest_deadline_first), Verdict::meets);
}
// Processor demand: (C, D, T) = (2, 4, 6), (2, 5, 8), (3, 7, 9), a utilisation of 11/12, is feasible.
TEST(Buttazzo, ProcessorDemandOfThreeTasks) {
  const auto set = operations({needs(2, 6, 4), needs(2, 8, 5), needs(3, 9, 7)});
  EXPECT_NEAR(processor(set).utilisation, 11.0 / 12, 1e-12);
  EXPECT_EQ(verdict(set, earliest_deadline_first), Verdict::meets);
}

// Silberschatz, Galvin and Gagne, "Operating System Concepts", the section on real-time CPU scheduling.
TEST(Silberschatz, RateMonotonicMeetsWith50And100) {
  const auto set = operations({needs(20, 50), needs(35, 100)});
  EXPECT_DOUBLE_EQ(processor(set).utilisation, 0.75);
  EXPECT_EQ(responses(set, rate_monotonic), (Times{20, 75}));  // P2 ends at 75
}
TEST(Silberschatz, RateMonotonicMissesWith50And80) {
  const auto set = operations({needs(25, 50), needs(35, 80)});
  EXPECT_NEAR(processor(set).utilisation, 0.94, 5e-3);
  const auto analysis = analysed(set, rate_monotonic);
  EXPECT_EQ(result(analysis, 2).verdict, Verdict::misses);
  EXPECT_EQ(response(analysis, 2),
            85);  // "would finish at time 85, after the expiration of its deadline, 80"
  EXPECT_EQ(verdict(set, earliest_deadline_first), Verdict::meets);
}

// Stallings, "Operating Systems", the section on deadline scheduling: A 10 every 20, B 25 every 50. With a
// fixed priority for A, B1 misses its deadline, 50; earliest deadline meets all.
TEST(Stallings, EarliestDeadlineMeetsWhatAFixedPriorityMisses) {
  const auto set = operations({needs(10, 20), needs(25, 50)});
  const auto analysis = analysed(set, rate_monotonic);
  EXPECT_EQ(simulate(analysis, {.horizon = Time(100)}).threads[1].first_miss, Time(50));
  const auto played = simulate(analysed(set, earliest_deadline_first), {.horizon = Time(100)});
  EXPECT_EQ(played.misses, 0u);
}

// Stewart and Khosla, "Real-Time Scheduling of Sensor-Based Control Systems", 1991, which introduces MUF.
// Their example, as quoted in a course on real time (F. Singhoff, Universite de Bretagne Occidentale): (C, T)
// = (2, 6), (4, 10), (3, 12), (4, 15). The critical set is the first three. With rate monotonic the third
// misses; with MUF only the fourth, at 15.
TEST(StewartKhosla1991, MaximumUrgencyLosesOnlyWhatIsNotCritical) {
  const auto set = operations({needs(2, 6), needs(4, 10), needs(3, 12), needs(4, 15)});
  EXPECT_EQ(simulate(analysed(set, rate_monotonic), {.horizon = Time(60)}).threads[2].first_miss, Time(12));
  const auto analysis = analysed(set, maximum_urgency_first);
  EXPECT_NEAR(*analysis.processors.at(0).critical_utilisation, 59.0 / 60, 1e-12);
  EXPECT_EQ(analysis.critical_verdict, Verdict::meets);
  const auto played = simulate(analysis, {.horizon = Time(60)});
  for (std::size_t critical = 0; critical < 3; ++critical) EXPECT_EQ(played.threads[critical].misses, 0u);
  EXPECT_EQ(played.threads[3].first_miss, Time(15));
}

// Tindell and Clark's holistic analysis (1994), applied to the example of Palencia and Gonzalez Harbour,
// "Schedulability Analysis for Tasks with Static and Dynamic Offsets", RTSS 1998: two chains over two
// processors and a network, 5, 2, 20 every 30 and 5, 10, 10 every 40. The first task of either is preferred
// on its processor, and the second chain in the network. The holistic tool of MAST gives 42 and 30.
TEST(TindellClark1994, HolisticAnalysisOfTwoChainsOverANetwork) {
  const auto on = [](std::int32_t processor, Requirements wanted) {
    wanted.processor = processor;
    return wanted;
  };
  Repository set = operations({on(0, needs(5, 30, 60)), on(2, needs(2, 0, 80)), on(1, needs(20, 0, 90)),
                               on(1, needs(5, 40, 70)), on(2, needs(10, 0, 75)), on(0, needs(10, 0, 95))});
  for (const Handle first : {1, 2, 4, 5}) depend(set, first, first + 1, 1, DependencyType::one_way);
  EXPECT_EQ(responses(set, deadline_monotonic), (Times{5, 17, 42, 5, 15, 30}));
}

}  // namespace
}  // namespace takt::scheduling
