// Priorities that are found by deadline, by Audsley's algorithm and by HOPA.
#include "schedulability/assignment/assignment.h"

#include <algorithm>
#include <numeric>
#include <random>

#include "mast_models.h"

namespace takt::scheduling::assignment_test {
namespace {

using Numbers = std::vector<std::int32_t>;

Numbers assigned(const Repository& repository, Assignment method) {
  const auto found = assign(repository, method);
  EXPECT_TRUE(found) << found.error().text;
  return found ? *found : Numbers();
}
Verdict verdict(const Repository& repository, const Numbers& priorities) {
  return analysed(with_priorities(repository, priorities), Strategy::declared_priorities).verdict;
}
AssignmentFault fault(const Repository& repository) {
  const auto found = assign(repository, Assignment::audsley);
  EXPECT_FALSE(found);
  return found ? AssignmentFault() : found.error();
}

TEST(Assignments, ByDeadlineCountOnEachProcessor) {
  auto other = needs(1, 100, 70);
  other.processor = 1;
  EXPECT_EQ(assigned(operations({needs(1, 100, 90), needs(1, 100, 80), other, needs(1, 100, 80)}),
                     Assignment::deadline_monotonic),
            (Numbers{1, 3, 1, 2}));
}

TEST(Assignments, OperationsThatRunInCallersThreadsGetNone) {
  Repository repository = operations({needs(1, 100), needs(1, 0), needs(1, 50)});
  depend(repository, 1, 2);
  for (const auto method : {Assignment::deadline_monotonic, Assignment::audsley, Assignment::hopa})
    EXPECT_EQ(assigned(repository, method), (Numbers{1, 0, 2}));
}

TEST(Assignments, AreWrittenAsDeclarations) {
  Repository repository = operations({needs(1, 100), needs(1, 0), needs(1, 50)});
  depend(repository, 1, 2);
  EXPECT_EQ(toml_of(priority_declarations(repository, {1, 0, 2})),
            "\n[[operation]]\nname = \"1\"\npriority = 1\n\n[[operation]]\nname = \"3\"\npriority = 2\n");
}

TEST(Assignments, OperationsStayAboveTheOthers) {
  auto interrupt = needs(1, 1000), second = needs(1, 900);
  interrupt.declared_priority = 7;
  second.declared_priority = 9;
  const auto set = operations({needs(1, 100), interrupt, second, needs(1, 50)});
  for (const auto method : {Assignment::deadline_monotonic, Assignment::audsley, Assignment::hopa}) {
    const auto found = assign(set, method, std::vector<Handle>{3, 2});
    ASSERT_TRUE(found) << found.error().text;
    EXPECT_EQ(*found, (Numbers{1, 3, 4, 2}));
  }
  const auto missing = assign(set, Assignment::hopa, std::vector<Handle>{1});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, AssignmentError::no_priority);
  EXPECT_EQ(missing.error().text,
            "operation '1' declares no priority, which would say where it is among those above the others");
}

// Busy periods near full use are endless for practical purposes, but each thread that cannot be the least
// urgent one shows it early.
TEST(Audsley, StopsALookAtAThreadThatIsLate) {
  auto late = needs(1'000'000, 3'000'000);
  late.jitter = Time(1'000'000);
  const auto refused = fault(operations(
      {needs(1'000'000, 3'000'000), late, needs(333'333'333, 1'000'000'000), needs(0, 7'000'000)}));
  EXPECT_EQ(refused.kind, AssignmentError::infeasible) << refused.text;
}

// The interrupt makes the most urgent thread late, and no order of the threads helps.
TEST(Audsley, KeepsWhatIsAboveAlsoIfThatFails) {
  auto interrupt = needs(9, 1000);
  interrupt.declared_priority = 1;
  const auto set = operations({needs(5, 100, 10), interrupt});
  EXPECT_TRUE(assign(set, Assignment::audsley));
  const auto found = assign(set, Assignment::audsley, std::vector<Handle>{2});
  ASSERT_FALSE(found);
  EXPECT_TRUE(contains(found.error().text, "'1' responds in 14 ns, and its deadline is 10 ns"))
      << found.error().text;
}

TEST(Assignments, WhatCannotBeAnalysedIsRefused) {
  for (const auto method : {Assignment::deadline_monotonic, Assignment::audsley, Assignment::hopa}) {
    const auto found = assign(operations({needs(1, 0)}), method);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, AssignmentError::unusable);
    EXPECT_TRUE(contains(found.error().text, "operation '1' has period 0"));
  }
}

// Lehoczky 1990, example 3: with deadlines beyond the periods, the shorter deadline first fails.
TEST(Audsley, FindsPrioritiesThatDeadlinesDoNot) {
  const auto set = operations({needs(52, 100, 110), needs(52, 140, 154)});
  EXPECT_EQ(verdict(set, assigned(set, Assignment::deadline_monotonic)), Verdict::misses);
  EXPECT_EQ(assigned(set, Assignment::audsley), (Numbers{1, 2}));
  EXPECT_EQ(verdict(set, {1, 2}), Verdict::meets);
}

TEST(Audsley, GoesByDeadlinesIfTheyWork) {
  const auto set = operations({needs(1, 100, 90), needs(1, 100, 20), needs(1, 100, 50)});
  EXPECT_EQ(assigned(set, Assignment::audsley), assigned(set, Assignment::deadline_monotonic));
}

TEST(Audsley, SaysWhatDoesNotFit) {
  const AssignmentFault found = fault(operations({needs(5, 10, 9), needs(5, 10, 8), needs(1, 1000)}));
  EXPECT_EQ(found.kind, AssignmentError::infeasible);
  EXPECT_EQ(
      found.text,
      "no priorities are proven to meet every deadline: on processor 0, none of the 3 most urgent threads "
      "meets its deadline below the others; '3' has no bound there, and its deadline is 1 us");
  EXPECT_EQ(
      fault(operations({needs(5, 20, 9), needs(5, 20, 8), needs(1, 1000)})).text,
      "no priorities are proven to meet every deadline: on processor 0, none of the 2 most urgent threads "
      "meets its deadline below the others; '1' responds in 10 ns, and its deadline is 9 ns");
}

TEST(Audsley, NeedsIndependentThreads) {
  Repository chain = operations({needs(1, 100), needs(1, 0)});
  depend(chain, 1, 2, 1, DependencyType::one_way);
  EXPECT_EQ(fault(chain).kind, AssignmentError::not_applicable);
  EXPECT_EQ(fault(chain).text,
            "operation '2' runs after '1': Audsley's assignment needs independent threads; use hopa");
  auto far = needs(1, 0);
  far.processor = 1;
  Repository waiting = operations({needs(1, 100), far});
  depend(waiting, 1, 2);
  EXPECT_EQ(fault(waiting).text,
            "operation '2' is waited for by '1': Audsley's assignment needs independent threads; use hopa");
}

TEST(Audsley, NeedsThreadsThatShareNothing) {
  auto locking = needs(5, 100), in_lane = needs(5, 100);
  locking.locks = {{"state", Time(2)}};
  in_lane.lane = "bus";
  EXPECT_EQ(
      fault(operations({needs(1, 100), locking})).text,
      "operation '2' shares the lock 'state': Audsley's assignment needs independent threads; use hopa");
  EXPECT_EQ(fault(operations({in_lane})).text,
            "operation '1' shares the lane 'bus': Audsley's assignment needs independent threads; use hopa");
}

// Without the reservation, priorities by deadline would do: "2" above "1" responds in 5 + 3.
TEST(Audsley, CountsReservationsOfTheProcessor) {
  auto late = needs(2, 100, 11);
  late.jitter = Time(3);
  auto set = operations({needs(2, 100, 10), late});
  ASSERT_TRUE(set.add_reservation({"camera", Time(3), Time(10), 0}));
  ASSERT_TRUE(set.add_reservation({"elsewhere", Time(9), Time(10), 1}));
  const auto found = assigned(set, Assignment::audsley);
  EXPECT_EQ(found, (Numbers{1, 2}));
  EXPECT_EQ(verdict(set, found), Verdict::meets);
  auto less = operations({needs(2, 100, 9), late});
  ASSERT_TRUE(less.add_reservation({"camera", Time(3), Time(10), 0}));
  EXPECT_EQ(fault(less).kind, AssignmentError::infeasible);
}

TEST(Audsley, DoesNotClaimThatNothingFitsIfOffsetsCount) {
  auto first = needs(4, 10, 5), second = needs(4, 10, 5);
  first.transaction = second.transaction = "clock";
  second.offset = Time(5);
  const auto set = operations({first, second});
  EXPECT_EQ(fault(set).kind, AssignmentError::not_applicable);
  EXPECT_EQ(
      fault(set).text,
      "operation '2' belongs to the transaction 'clock': Audsley's assignment does not use offsets, and "
      "finds no priorities without them; use hopa");
  EXPECT_EQ(verdict(set, assigned(set, Assignment::hopa)), Verdict::meets);
  first.deadline = second.deadline = Time(9);  // enough for any phasing
  EXPECT_EQ(assigned(operations({first, second}), Assignment::audsley), (Numbers{2, 1}));
}

// Compares with all orders of small sets.
TEST(Audsley, FindsPrioritiesExactlyIfThereAreAny) {
  std::mt19937 random(20260726);
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  int feasible = 0, by_deadline = 0;
  for (int set = 0; set < 400; ++set) {
    Repository repository;
    const int count = number(2, 5);
    for (int i = 0; i < count; ++i) {
      const int period = number(10, 60);
      auto wanted = needs(number(1, period * 3 / (2 * count)), period, number(period / 3, 2 * period));
      wanted.jitter = Time(number(0, 8));
      wanted.blocking = Time(number(0, 4));
      if (number(0, 4) == 0) {
        wanted.burst = 2;
        wanted.period *= 2;
        wanted.distance = Time(number(0, period));
      }
      declare(repository, std::to_string(i + 1), wanted);
    }
    Numbers order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 1);
    bool any = false;
    do any = any || verdict(repository, order) == Verdict::meets;
    while (std::ranges::next_permutation(order).found);
    const auto found = assign(repository, Assignment::audsley);
    ASSERT_EQ(found.has_value(), any) << "set " << set;
    if (found) {
      EXPECT_EQ(verdict(repository, *found), Verdict::meets) << "set " << set;
    }
    feasible += any;
    by_deadline +=
        verdict(repository, assigned(repository, Assignment::deadline_monotonic)) == Verdict::meets;
  }
  EXPECT_GT(feasible, by_deadline) << "the sets need more than deadlines";
  EXPECT_LT(feasible, 400) << "some sets have no solution";
}

TEST(Audsley, ManyThreadsAreBounded) {
  Repository repository;
  for (int i = 0; i < 500; ++i) declare(repository, std::to_string(i), needs(1, 1000 + i * 7));
  EXPECT_EQ(verdict(repository, assigned(repository, Assignment::audsley)), Verdict::meets);
}

// RTSS_98 of MAST's examples: with its priorities a deadline is missed; with those that MAST's HOPA finds,
// its holistic analysis gives 198 for the chain.
TEST(Hopa, FindsTheResultsOfMast) {
  const auto model = mast_rtss_98();
  const Repository repository = repository_of(imported(model).declarations);
  const auto found = assigned(repository, Assignment::hopa);
  const auto analysis = analysed(with_priorities(repository, found), Strategy::declared_priorities);
  EXPECT_EQ(analysis.verdict, Verdict::meets);
  EXPECT_EQ(response(analysis, *repository.lookup("t_2::t22")), 198'000);
}

// Chains of three threads on three processors, in random orders.
Repository random_chains(std::mt19937& random, int chains) {
  const auto number = [&](int least, int most) { return std::uniform_int_distribution(least, most)(random); };
  Repository repository;
  for (int chain = 0; chain < chains; ++chain) {
    const int period = number(100, 400), deadline = number(period, 3 * period);
    Handle before = 0;
    for (int i = 0; i < 3; ++i) {
      auto wanted = needs(number(1, period / chains), i == 0 ? period : 0, deadline);
      wanted.processor = number(0, 2);
      const Handle made = declare(repository, std::to_string(repository.infos().size() + 1), wanted);
      if (before != 0) depend(repository, before, made, 1, DependencyType::one_way);
      before = made;
    }
  }
  return repository;
}

TEST(Hopa, IsNeverWorseThanDeadlines) {
  std::mt19937 random(20260727);
  int feasible = 0, by_deadline = 0;
  for (int set = 0; set < 150; ++set) {
    const Repository repository = random_chains(random, 4);
    const Verdict found = verdict(repository, assigned(repository, Assignment::hopa));
    const Verdict before = verdict(repository, assigned(repository, Assignment::deadline_monotonic));
    EXPECT_LE(found, before) << "set " << set;
    feasible += found == Verdict::meets;
    by_deadline += before == Verdict::meets;
    EXPECT_EQ(assigned(repository, Assignment::hopa), assigned(repository, Assignment::hopa))
        << "set " << set;
  }
  EXPECT_GT(feasible, by_deadline + 5);
  EXPECT_LT(feasible, 150);
}

// An operation that runs after two others has one priority, although it begins two threads.
TEST(Hopa, AnOperationAfterTwoHasOnePriority) {
  Repository repository = operations({needs(1, 100, 50), needs(1, 200), needs(1, 0), needs(90, 300)});
  depend(repository, 1, 3, 1, DependencyType::one_way);
  depend(repository, 2, 3, 1, DependencyType::one_way);
  const auto found = assigned(repository, Assignment::hopa);
  auto sorted = found;
  std::ranges::sort(sorted);
  EXPECT_EQ(sorted, (Numbers{1, 2, 3, 4}));
}

}  // namespace
}  // namespace takt::scheduling::assignment_test
