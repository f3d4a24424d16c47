// Whether one schedule may replace another.
#include "schedulability/analysis/transition.h"

#include "sets.h"

namespace takt::scheduling {
namespace transition_test {

struct Side {
  Repository repository;
  Analysis analysis;
  Side(Repository operations, Strategy strategy)
      : repository(std::move(operations)), analysis(analysed(repository, strategy)) {}
  Scheduled scheduled(std::span<const std::int32_t> ranks = {}) const {
    return {repository, analysis, ranks};
  }
};

Transition between(const Side& before, const Side& after) {
  return analyse_transition(before.scheduled(), after.scheduled());
}

const ThreadInTransition* find(const Transition& transition, const std::string& operation, Mode mode) {
  for (const ThreadInTransition& each : transition.threads)
    if (each.operation == operation && each.mode == mode) return &each;
  return nullptr;
}

TEST(Transition, ToItselfIsNone) {
  const Side same(operations({needs(3, 10), needs(4, 20), needs(5, 50)}), Strategy::rate_monotonic);
  const Transition none = between(same, same);
  EXPECT_EQ(none.verdict, Verdict::meets);
  EXPECT_EQ(none.threads.size(), 3u);
  EXPECT_EQ(none.worst(), nullptr);
  EXPECT_NE(find(none, "2", Mode::both), nullptr);
}

TEST(Transition, FindsWhoIsOverHisDeadlineTheMost) {
  Repository before, after;
  declare(before, "cruise", needs(4, 10));
  declare(before, "steady", needs(5, 30, 15));
  declare(after, "land", needs(5, 10));
  declare(after, "steady", needs(5, 30, 15));
  const Side old_one(std::move(before), Strategy::rate_monotonic),
      new_one(std::move(after), Strategy::rate_monotonic);
  EXPECT_EQ(old_one.analysis.verdict, Verdict::meets);
  EXPECT_EQ(new_one.analysis.verdict, Verdict::meets);
  const Transition found = between(old_one, new_one);
  EXPECT_EQ(found.verdict, Verdict::unproven);
  ASSERT_NE(found.worst(), nullptr);
  EXPECT_EQ(found.worst()->operation, "steady");
  EXPECT_EQ(found.worst()->response, Time(19));
  EXPECT_EQ(text_of(*found.worst()),
            "operation 'steady' is not proven to meet its deadline of 15 ns while the schedule changes: its "
            "response takes up to 19 ns");
}

TEST(Transition, APriorityThatMovesIsNotASecondThread) {
  Repository before, after;
  declare(before, "fast", needs(2, 10));
  declare(before, "slow", needs(20, 50));
  declare(after, "fast", needs(2, 10));
  declare(after, "added", needs(1, 20));
  declare(after, "slow", needs(20, 50));
  const Side old_one(std::move(before), Strategy::rate_monotonic),
      new_one(std::move(after), Strategy::rate_monotonic);
  const Transition shifted = between(old_one, new_one);
  EXPECT_NE(find(shifted, "slow", Mode::both), nullptr);
  EXPECT_EQ(shifted.verdict, Verdict::unproven) << "old jobs of slow are as urgent as what is added";
  EXPECT_EQ(shifted.worst()->operation, "added");
  // If priorities stay the same, no thread is delayed.
  const std::int32_t had[] = {1, 3}, have[] = {1, 2, 3};
  const Transition steady = analyse_transition(old_one.scheduled(had), new_one.scheduled(have));
  EXPECT_EQ(steady.verdict, Verdict::meets);
  EXPECT_EQ(find(steady, "slow", Mode::both)->response, Time(response(new_one.analysis, 3)));
}

// Computed by hand: with the thread that ends, a busy period takes 5 + 10 + 2 * 2.
TEST(Transition, SettlesWhenTheJobsOfThreadsThatEndAreDone) {
  for (const Strategy strategy : {Strategy::rate_monotonic, Strategy::earliest_deadline_first}) {
    Repository two = operations({needs(2, 10), needs(10, 50)}),
               three = operations({needs(2, 10), needs(10, 50)});
    declare(three, "frame", needs(5, 20));
    const Side fewer(std::move(two), strategy), more(std::move(three), strategy);
    const std::int32_t had[] = {1, 3}, have[] = {1, 2, 3};
    const bool fixed = is_fixed(strategy);
    const auto few = fewer.scheduled(fixed ? std::span(had) : std::span<const std::int32_t>());
    const auto many = more.scheduled(fixed ? std::span(have) : std::span<const std::int32_t>());
    EXPECT_EQ(analyse_transition(many, few).settles, Time(19));
    EXPECT_EQ(analyse_transition(few, many).settles, Time(0)) << "nothing ends";
    EXPECT_EQ(analyse_transition(many, many).settles, Time(0));
  }
}

TEST(Transition, SettlesLaterWhereAPriorityMoves) {
  const Side side(operations({needs(2, 10), needs(10, 50)}), Strategy::rate_monotonic);
  const std::int32_t had[] = {1, 3}, have[] = {1, 4};
  EXPECT_EQ(analyse_transition(side.scheduled(had), side.scheduled(have)).settles, Time(14));
}

TEST(Transition, DynamicPrioritiesNeedRoomForBoth) {
  for (const Strategy strategy : {Strategy::earliest_deadline_first, Strategy::minimum_laxity_first}) {
    const auto with = [&](std::int64_t execution) {
      Repository set;
      declare(set, "steady", needs(3, 10));
      declare(set, "other" + std::to_string(execution), needs(execution, 20));
      return Side(std::move(set), strategy);
    };
    const Side small(with(6)), middle(with(8)), large(with(14));
    EXPECT_EQ(between(small, middle).verdict, Verdict::meets) << "0.3 + 0.3 + 0.4";
    EXPECT_EQ(between(small, large).verdict, Verdict::unproven);
    EXPECT_EQ(large.analysis.verdict, Verdict::meets);
    EXPECT_EQ(between(large, large).verdict, Verdict::meets);
  }
}

// Where locks, lanes, bursts or offsets change, nothing is proven, although each schedule is.
TEST(Transition, NothingIsProvenWhereThreadsAreUsedOtherwise) {
  const auto with = [](const auto& change) {
    Requirements wanted = needs(2, 20);
    change(wanted);
    return Side(operations({wanted, needs(2, 40)}), Strategy::rate_monotonic);
  };
  const Side plain = with([](Requirements&) {});
  const Side changed[] = {
      with([](Requirements& wanted) { wanted.locks = {{"bus", Time(1)}}; }),
      with([](Requirements& wanted) { wanted.lane = "pool"; }),
      with([](Requirements& wanted) { wanted.burst = 2; }),
      with([](Requirements& wanted) { wanted.burst = 2, wanted.distance = Time(5); }),
  };
  for (const Side& each : changed) {
    EXPECT_EQ(each.analysis.verdict, Verdict::meets);
    EXPECT_EQ(between(each, each).verdict, Verdict::meets);
    EXPECT_EQ(between(plain, each).verdict, Verdict::unproven);
    EXPECT_EQ(between(each, plain).verdict, Verdict::unproven);
  }
  EXPECT_EQ(between(changed[2], changed[3]).verdict, Verdict::unproven);
}

// Each schedule meets its deadlines only because of its offsets, which the change does not keep.
TEST(Transition, OffsetsThatChangeAreNotUsed) {
  const auto with = [](std::int64_t offset) {
    Requirements first = needs(4, 10), second = needs(4, 10, 4);
    first.transaction = second.transaction = "clock";
    second.offset = Time(offset);
    return Side(operations({first, second}), Strategy::rate_monotonic);
  };
  const Side five = with(5), six = with(6);
  EXPECT_EQ(five.analysis.verdict, Verdict::meets);
  EXPECT_EQ(between(five, five).verdict, Verdict::meets);
  EXPECT_EQ(between(five, six).verdict, Verdict::unproven);
}

TEST(Transition, OfMufOnlyTheCriticalSetCounts) {
  const auto with = [](Criticality criticality) {
    Repository set;
    Requirements steady = needs(3, 10);
    steady.criticality = Criticality::very_high;
    declare(set, "steady", steady);
    Requirements other = needs(12, 20);
    other.criticality = criticality;
    declare(set, criticality == Criticality::low ? "one" : "two", other);
    return Side(std::move(set), Strategy::maximum_urgency_first);
  };
  EXPECT_EQ(between(with(Criticality::low), with(Criticality::low)).verdict, Verdict::meets);
  EXPECT_EQ(between(with(Criticality::low), with(Criticality::high)).verdict, Verdict::meets)
      << "who is not critical gets what remains";
}

TEST(Transition, ChainsAreProvenOnlyWhereNothingChanges) {
  const auto chain = [](std::int64_t added) {
    Repository set;
    Requirements first = needs(2, 20);
    first.threads = 1;
    Requirements second = needs(2, 0, 20);
    second.processor = 1;
    const Handle a = declare(set, "a", first), b = declare(set, "b", second);
    depend(set, a, b, 1, DependencyType::one_way);
    if (added > 0) declare(set, "added", needs(added, 50));
    return Side(std::move(set), Strategy::rate_monotonic);
  };
  const Side same = chain(0), more = chain(1);
  EXPECT_EQ(between(same, same).verdict, Verdict::meets);
  EXPECT_EQ(between(same, more).verdict, Verdict::unproven);
}

}  // namespace transition_test
}  // namespace takt::scheduling
