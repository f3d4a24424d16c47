#include "schedulability/model/priorities.h"

#include "sets.h"

namespace takt::scheduling {
namespace {

std::vector<std::int32_t> levels(const Analysis& analysis) {
  std::vector<std::int32_t> all(analysis.threads.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[static_cast<std::size_t>(analysis.threads[i].entry) - 1] = analysis.results[i].priority.level;
  return all;
}

Requirements with(Requirements wanted, Importance importance, Criticality criticality = Criticality::medium) {
  wanted.importance = importance;
  wanted.criticality = criticality;
  return wanted;
}

using Levels = std::vector<std::int32_t>;

TEST(Priorities, RateMonotonicHasALevelForEachRate) {
  const auto repository = operations({needs(1, 200), needs(1, 100), needs(1, 200), needs(1, 1000)});
  const auto analysis = analysed(repository, Strategy::rate_monotonic, false);
  EXPECT_EQ(levels(analysis), (Levels{1, 0, 1, 2}));
  EXPECT_EQ(analysis.levels, 3);
}

TEST(Priorities, DeadlineMonotonicGoesByDeadlines) {
  const auto repository = operations({needs(1, 100, 90), needs(1, 200, 50)});
  EXPECT_EQ(levels(analysed(repository, Strategy::deadline_monotonic)), (Levels{1, 0}));
}

TEST(Priorities, ImportanceBreaksTies) {
  const auto repository =
      operations({with(needs(1, 100), Importance::low), with(needs(1, 100), Importance::very_high),
                  with(needs(1, 100), Importance::low)});
  EXPECT_EQ(levels(analysed(repository, Strategy::rate_monotonic)), (Levels{1, 0, 2}));
  const auto grouped = analysed(repository, Strategy::rate_monotonic, false);
  EXPECT_EQ(grouped.levels, 1);
  EXPECT_EQ(grouped.results[0].priority.subpriority, 1);
  EXPECT_EQ(grouped.results[1].priority.subpriority, 0);
}

TEST(Priorities, DependenciesGoBeforeImportance) {
  Requirements producer = with(needs(1, 100), Importance::very_low);
  producer.threads = 1;
  Repository repository = operations(
      {with(needs(1, 100), Importance::very_high), producer, with(needs(1, 100), Importance::high)});
  depend(repository, 1, 2);
  // The first operation needs the second one's data, so the second is as important.
  EXPECT_EQ(levels(analysed(repository, Strategy::rate_monotonic)), (Levels{1, 0, 2}));
}

Requirements at(Requirements wanted, std::int32_t priority, std::int32_t processor = 0) {
  wanted.declared_priority = priority;
  wanted.processor = processor;
  return wanted;
}

TEST(Priorities, DeclaredOnesAreKept) {
  const auto repository =
      operations({at(needs(1, 100), 5), at(needs(1, 200), 40), at(needs(1, 300), 5), at(needs(1, 50), 4)});
  for (const bool each : {false, true}) {
    const auto analysis = analysed(repository, Strategy::declared_priorities, each);
    EXPECT_EQ(levels(analysis), (Levels{1, 0, 1, 2}));
    EXPECT_EQ(analysis.levels, 3);
  }
}

TEST(Priorities, ADeclaredOneIsMissed) {
  Repository repository = operations({at(needs(1, 100), 5), needs(1, 200), needs(1, 0)});
  depend(repository, 1, 3);
  const auto analysis = analyse(repository, {.strategy = Strategy::declared_priorities});
  ASSERT_FALSE(analysis);
  EXPECT_EQ(std::get<PriorityFault>(analysis.error()).kind, PriorityError::no_priority);
  EXPECT_EQ(text_of(analysis.error()),
            "operation '2' begins a thread but declares no priority; declare one, or use another strategy")
      << "the third one runs in the first one's thread and needs none";
}

TEST(Priorities, ACallOnAnotherProcessorHasItsCallersDeclaredOne) {
  Repository repository = operations(
      {at(needs(1, 100), 5), at(needs(1, 0), 900, 1), at(needs(1, 200), 7, 1), at(needs(1, 300), 3, 1)});
  depend(repository, 1, 2);
  const auto analysis = analysed(repository, Strategy::declared_priorities);
  EXPECT_EQ(levels(analysis), (Levels{1, 1, 0, 2}));
}

TEST(Priorities, DynamicOnesHaveOneLevel) {
  const auto repository = operations({needs(1, 100), needs(1, 200)});
  for (const Strategy strategy : {Strategy::earliest_deadline_first, Strategy::minimum_laxity_first})
    EXPECT_EQ(levels(analysed(repository, strategy)), (Levels{0, 0}));
}

TEST(Priorities, MaximumUrgencyPutsTheCriticalSetFirst) {
  const auto repository =
      operations({needs(1, 10), with(needs(1, 100), Importance::medium, Criticality::high)});
  const auto analysis = analysed(repository, Strategy::maximum_urgency_first);
  EXPECT_EQ(levels(analysis), (Levels{1, 0}));
  EXPECT_FALSE(analysis.results[0].priority.critical);
}

TEST(Priorities, ACriticalSetThatNobodyNamedIsTheMostFrequentThatFit) {
  const auto repository = operations({needs(5, 10), needs(40, 100), needs(30, 50), needs(1, 1000)});
  const auto analysis = analysed(repository, Strategy::maximum_urgency_first);
  // After 50 %, another 60 % does not fit, and later threads are left out too.
  EXPECT_EQ(levels(analysis), (Levels{0, 1, 1, 1}));
}

TEST(Priorities, TooFewLevelsAreRefusedWithTheOperationThatHasNone) {
  const auto repository = operations({needs(1, 100), needs(1, 200), needs(1, 300)});
  const auto analysis = analyse(repository, {.levels = 2});
  ASSERT_FALSE(analysis);
  const auto& fault = std::get<PriorityFault>(analysis.error());
  EXPECT_EQ(fault.kind, PriorityError::insufficient_priority_levels);
  EXPECT_EQ(fault.operation, "3");
  EXPECT_EQ(fault.number, 3);
}

TEST(Priorities, TooFewLevelsCanBeShared) {
  const auto repository = operations({needs(1, 100), needs(1, 200), needs(1, 300), needs(1, 400)});
  const auto analysis = analyse(repository, {.levels = 2, .share_levels = true});
  ASSERT_TRUE(analysis);
  EXPECT_EQ(levels(*analysis), (Levels{0, 0, 1, 1}));
  EXPECT_EQ(analysis->levels, 2);
  EXPECT_EQ(analysis->results[1].priority.subpriority, 1);
}

// The queue has one priority, so that the slow caller's requests are as urgent as those of the fast one.
TEST(Priorities, AnOperationThatSeveralCallersStartHasTheMostUrgentOfTheirLevels) {
  Repository repository = operations({needs(1, 100), needs(1, 1000), needs(2, 0), needs(3, 500)});
  for (const Handle caller : {1, 2}) depend(repository, caller, 3, 1, DependencyType::one_way);
  const Analysis analysis = analysed(repository, Strategy::rate_monotonic, false);
  std::vector<std::int32_t> levels;
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.threads[i].entry == 3) levels.push_back(analysis.results[i].priority.level);
  EXPECT_EQ(levels, (std::vector<std::int32_t>{0, 0}));
  // Both requests delay the operation between the callers: 3 of its own, 1 of the fast caller, 2 for each.
  EXPECT_EQ(analysis.results[thread_of(analysis, 4)].response, Time(3 + 1 + 2 + 2));
}

// A table has one priority for operation 3, at which its server runs the slow caller's requests too: 4 for
// each request, and 3 of operation 4.
TEST(Priorities, AnOperationForWhichCallersElsewhereWaitHasTheMostUrgentOfTheirLevels) {
  Repository repository =
      operations({needs(1, 50), needs(1, 100), at(needs(4, 0), 0, 1), at(needs(3, 60, 8), 0, 1)});
  for (const Handle caller : {1, 2}) depend(repository, caller, 3);
  const Analysis analysis = analysed(repository, Strategy::rate_monotonic, false);
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (analysis.threads[i].entry == 3) {
      EXPECT_EQ(analysis.results[i].priority.level, 0);
    }
  EXPECT_EQ(result(analysis, 2).priority.level, 2);
  EXPECT_EQ(result(analysis, 4).response, Time(4 + 4 + 3));
  EXPECT_EQ(analysis.verdict, Verdict::unproven);
}

TEST(Priorities, OfMaximumUrgencyACallIsAsUrgentAsTheCriticalCallOfItsOperation) {
  const auto critical = [](Requirements wanted, std::int32_t processor) {
    wanted.criticality = Criticality::high;
    wanted.processor = processor;
    return wanted;
  };
  Repository repository = operations(
      {critical(needs(1, 50), 0), needs(1, 100), at(needs(4, 0), 0, 1), critical(needs(3, 60, 8), 1)});
  for (const Handle caller : {1, 2}) depend(repository, caller, 3);
  const Analysis analysis = analysed(repository, Strategy::maximum_urgency_first);
  EXPECT_EQ(result(analysis, 4).response, Time(4 + 4 + 3));
  EXPECT_EQ(analysis.critical_verdict, Verdict::unproven);
  for (std::size_t i = 0; i < analysis.threads.size(); ++i)
    if (is_call(analysis.threads[i])) {
      const std::size_t caller = analysis.threads[i].trigger->thread;
      EXPECT_EQ(analysis.results[i].priority.critical, analysis.results[caller].priority.critical);
    }
}

// Operation 4 runs within the urgent 1, which waits for it, and as a request of the slow 3, for which its
// queue has the priority of 1 too. So it delays 2. What it calls itself, 5, has that priority as well.
TEST(Priorities, AnOperationThatCallersWaitForAndStartHasTheMostUrgentOfTheirLevels) {
  Repository repository =
      operations({needs(1, 100), needs(6, 200), needs(2, 1000), needs(15, 0), needs(1, 0), needs(1, 500)});
  depend(repository, 1, 4);
  depend(repository, 3, 4, 1, DependencyType::one_way);
  depend(repository, 4, 5);
  depend(repository, 6, 5, 1, DependencyType::one_way);
  const Analysis analysis = analysed(repository, Strategy::rate_monotonic, false);
  EXPECT_EQ(result(analysis, 1).priority.level, 0);
  EXPECT_EQ(result(analysis, 4).priority.level, 0);
  EXPECT_EQ(result(analysis, 5).priority.level, 0);
  EXPECT_EQ(result(analysis, 2).priority.level, 1);
  // 6 of its own, 1 + 15 + 1 within the urgent caller, 15 + 1 and 1 of the requests.
  EXPECT_EQ(result(analysis, 2).response, Time(6 + 17 + 16 + 1));
}

}  // namespace
}  // namespace takt::scheduling
