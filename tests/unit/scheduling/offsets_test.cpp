// Threads that a transaction's clock releases at offsets: the bounds are compared with every critical
// instant.
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "scheduling/output/report.h"
#include "sets.h"

namespace takt::scheduling::offsets_test {
namespace {

Requirements at(std::int64_t offset, Requirements wanted, const char* transaction = "clock") {
  wanted.transaction = transaction;
  wanted.offset = Time(offset);
  return wanted;
}

// The same operations without their offsets.
Repository independent(const Repository& repository) {
  Repository result = repository;
  for (const RtInfo& each : repository.infos()) {
    RtInfo& info = result.at_valid(each.handle);
    info.transaction.clear();
    info.offset = Time(0);
  }
  return result;
}

// Computed by hand: the first is done before the second is released, so that neither delays the other.
TEST(Offsets, WorkAtDifferentTimesDoesNotMeet) {
  const auto set = operations({at(0, needs(4, 10)), at(5, needs(4, 10))});
  const auto analysis = analysed(set, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 1), 4);
  EXPECT_EQ(response(analysis, 2), 4);
  EXPECT_EQ(response(analysed(independent(set), Strategy::rate_monotonic), 2), 8);
}

// Computed by hand: 4 until the second's release at 3, then 3, of which the first has taken 1 after it.
TEST(Offsets, WorkThatOverlapsDelaysByWhatIsLeft) {
  const auto analysis =
      analysed(operations({at(0, needs(4, 10)), at(3, needs(3, 10))}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 4);
}

// Computed by hand: the second is released when the first ends, so the third, which takes no time, runs at 6.
TEST(Offsets, WorkOfNoTimeWaitsForWhatArrivesWhenItCouldBegin) {
  const auto set = operations({at(0, needs(4, 8)), at(4, needs(2, 8)), at(0, needs(0, 8))});
  EXPECT_EQ(response(analysed(set, Strategy::rate_monotonic), 3), 6);
}

TEST(Offsets, OneClockDoesNotHelpOperationsOfAnother) {
  const auto set = operations({at(0, needs(4, 10), "a"), at(5, needs(4, 10), "b")});
  EXPECT_EQ(response(analysed(set, Strategy::rate_monotonic), 2), 8);
}

// Computed by hand: released 3 late, the first runs from 3 to 7, and then the second until 10.
TEST(Offsets, JitterBringsWorkTogether) {
  Requirements late = needs(4, 10);
  late.jitter = Time(3);
  const auto analysis = analysed(operations({at(0, late), at(5, needs(3, 10))}), Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 5);
}

// A chain keeps the offset of its first thread. Its second part comes 2 to 4 after the clock, and is done
// before the other operation.
TEST(Offsets, AChainKeepsItsClock) {
  Repository repository = operations({at(0, needs(2, 20)), needs(3, 0), at(10, needs(5, 20))});
  repository.at_valid(2).processor = 1;
  repository.at_valid(3).processor = 1;
  depend(repository, 1, 2, 1, DependencyType::one_way);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(response(analysis, 2), 5);
  EXPECT_EQ(response(analysis, 3), 5);
  EXPECT_EQ(response(analysed(independent(repository), Strategy::rate_monotonic), 3), 8);
}

// An instant at which all are released together does not happen, so no miss is claimed for it.
TEST(Offsets, NoMissIsClaimedThatTheOffsetsPrevent) {
  const auto set = operations({at(0, needs(6, 20, 8)), at(3, needs(6, 20, 8))});
  for (const Strategy strategy : {Strategy::deadline_monotonic, Strategy::earliest_deadline_first})
    EXPECT_EQ(analysed(set, strategy).verdict, Verdict::unproven);
}

TEST(Offsets, TheReportAddsUpToTheWindow) {
  const auto set = operations({at(0, needs(4, 20)), at(1, needs(6, 20)), at(2, needs(5, 20, 11))});
  PriorityOptions options;
  options.level_each = true;
  const auto analysis = analyse(set, options);
  ASSERT_TRUE(analysis);
  EXPECT_EQ(response(*analysis, 3), 13);
  const std::string text = report(set, *analysis);
  EXPECT_TRUE(contains(text,
                       "'3' is not proven to meet its deadline of 11 ns: the bound is over it by 2 ns. Of "
                       "the 15 ns until its job 1 is done: 6 ns for '2', 4 ns for '1', 5 ns for itself."))
      << text;
}

struct Shape {
  std::int64_t transactions = 1, least = 2, most = 6;
  bool jitter = false, singles = true;
};

Repository any_set(RandomSets& random, const Shape& shape) {
  constexpr std::int64_t periods[] = {12, 20, 24, 30, 40, 60, 120};
  Repository repository;
  const std::int64_t count = random.between(shape.least, shape.most);
  std::vector<std::int64_t> of_clock;
  for (std::int64_t k = 0; k < shape.transactions; ++k)
    of_clock.push_back(random.one_of(std::span<const std::int64_t>(periods)));
  for (const double part :
       random.utilisations(static_cast<std::size_t>(count), 0.4 + 0.55 * random.fraction())) {
    const auto clock =
        static_cast<std::size_t>(random.between(shape.singles ? -1 : 0, shape.transactions - 1));
    const bool single = clock >= of_clock.size();
    const std::int64_t period =
        single ? random.one_of(std::span<const std::int64_t>(periods)) : of_clock[clock];
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(part * static_cast<double>(period))),
                                period, random.between(1, 3 * period));
    if (shape.jitter) wanted.jitter = Time(random.between(0, period * 3 / 2));
    if (!single) {
      wanted.transaction = std::string(1, static_cast<char>('a' + clock));
      wanted.offset = Time(random.between(0, period - 1));
    }
    declare(repository, std::to_string(repository.infos().size() + 1), wanted);
  }
  return repository;
}

// The slowest response of each thread over all critical instants: in each transaction, each thread in turn is
// the one whose jitter ends at the beginning.
std::vector<Time> worst_of_all_instants(const Analysis& analysis, std::size_t clocks) {
  std::vector<std::vector<Time>> choices(clocks);
  for (const Thread& each : analysis.threads)
    if (each.transaction > 0) choices[each.transaction - 1].push_back(-each.offset - each.jitter);
  std::vector<Time> worst(analysis.threads.size(), Time(0));
  std::vector<std::size_t> place(clocks, 0);
  for (;;) {
    SimulationOptions options{.horizon = Time(1'000'000), .stop_when_idle = true};
    for (std::size_t k = 0; k < clocks; ++k) options.ticks.push_back(choices[k][place[k]]);
    const auto played = simulate(analysis, options);
    EXPECT_TRUE(played.complete);
    for (std::size_t i = 0; i < worst.size(); ++i)
      worst[i] = std::max(worst[i], played.threads[i].worst_response);
    std::size_t k = 0;
    while (k < clocks && ++place[k] == choices[k].size()) place[k++] = 0;
    if (k == clocks) return worst;
  }
}

std::size_t clocks_in(const Analysis& analysis) {
  std::size_t most = 0;
  for (const Thread& each : analysis.threads) most = std::max(most, each.transaction);
  return most;
}

struct Count {
  int bounds = 0, exact = 0, shorter = 0;
};

Count compare(std::uint64_t seed, int sets, const Shape& shape) {
  RandomSets random(seed);
  Count count;
  for (int i = 0; i < sets && !testing::Test::HasFailure(); ++i) {
    const Repository repository = any_set(random, shape);
    const Analysis analysis = analysed(repository, Strategy::deadline_monotonic);
    if (analysis.processors[0].utilisation > 0.99) continue;
    const Analysis holistic = analysed(independent(repository), Strategy::deadline_monotonic);
    const auto worst = worst_of_all_instants(analysis, clocks_in(analysis));
    for (std::size_t k = 0; k < worst.size(); ++k) {
      const auto& bound = analysis.results[k].response;
      const auto& without = holistic.results[k].response;
      if (!bound || !without) {
        ADD_FAILURE() << "no bound";
        break;
      }
      const std::string what =
          "seed " + std::to_string(seed) + ", set " + std::to_string(i) + ", thread " + std::to_string(k);
      EXPECT_LE(worst[k], *bound) << what;
      EXPECT_LE(*bound, *without) << what;
      ++count.bounds;
      count.exact += worst[k] == *bound;
      count.shorter += *bound < *without;
    }
  }
  return count;
}

TEST(Offsets, OneTransactionIsExact) {
  const Count count = compare(31, 3000, {});
  EXPECT_EQ(count.exact, count.bounds);
  EXPECT_GT(count.shorter, 1000);
}
TEST(Offsets, OneTransactionWithJitterIsExact) {
  const Count count = compare(32, 3000, {.jitter = true});
  EXPECT_EQ(count.exact, count.bounds);
  EXPECT_GT(count.shorter, 1000);
}
TEST(Offsets, SeveralTransactionsAreExact) {
  const Count count = compare(33, 3000, {.transactions = 3, .jitter = true});
  EXPECT_EQ(count.exact, count.bounds);
  EXPECT_GT(count.shorter, 1000);
}
// Here there are too many critical instants for all of them to be analysed.
TEST(Offsets, ManyInstantsAreBetweenExactAndHolistic) {
  const Count count =
      compare(36, 30, {.transactions = 4, .least = 16, .most = 20, .jitter = true, .singles = false});
  EXPECT_LT(count.exact, count.bounds);
  EXPECT_GT(count.exact, count.bounds / 2);
  EXPECT_GT(count.shorter, 100);
}

// Several processors, chains and callers that wait; operations of one transaction have equal phases.
void no_contradiction(std::uint64_t seed, Strategy strategy, int least_shorter) {
  RandomSets random(seed);
  int shorter = 0;
  for (int i = 0; i < 500 && !testing::Test::HasFailure(); ++i) {
    Repository repository = any_set(random, {.transactions = 2});
    const Time phases[] = {Time(random.between(0, 60)), Time(random.between(0, 60))};
    for (const RtInfo& each : std::vector(repository.infos().begin(), repository.infos().end())) {
      RtInfo& info = repository.at_valid(each.handle);
      info.processor = static_cast<std::int32_t>(random.between(0, 1));
      info.phase = info.transaction.empty() ? Time(random.between(0, 60)) : phases[info.transaction == "a"];
      if (random.between(0, 1) == 0) continue;
      Requirements called = needs(random.between(1, 4), 0);
      called.processor = static_cast<std::int32_t>(random.between(0, 1));
      const Handle callee = declare(repository, "callee " + std::to_string(each.handle), called);
      depend(repository, each.handle, callee, random.between(1, 2),
             random.between(0, 2) == 0 ? DependencyType::two_way : DependencyType::one_way);
    }
    const Analysis analysis = analysed(repository, strategy, i % 2 == 0);
    const Analysis holistic = analysed(independent(repository), strategy, i % 2 == 0);
    const auto played = simulate(analysis, {.horizon = Time(2'000), .critical_instant = false});
    for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
      const auto& trigger = analysis.threads[k].trigger;
      const auto& bound = analysis.results[k].response;
      if ((trigger && trigger->type == DependencyType::two_way) || !bound) continue;
      shorter += bound < holistic.results[k].response;
      EXPECT_LE(played.threads[k].worst_response, *bound) << "seed " << seed << ", system " << i;
      if (holistic.results[k].response) {
        EXPECT_LE(*bound, *holistic.results[k].response) << "seed " << seed << ", system " << i;
      }
    }
  }
  EXPECT_GT(shorter, least_shorter);
}

TEST(Offsets, SystemsOfFixedPrioritiesKeepTheirBounds) {
  no_contradiction(34, Strategy::deadline_monotonic, 200);
}
TEST(Offsets, SystemsOfEarliestDeadlinesKeepTheirBounds) {
  no_contradiction(35, Strategy::earliest_deadline_first, 200);
}

std::string refused(const Requirements& wanted) {
  Repository repository;
  const auto set = repository.set(*repository.create("a"), wanted);
  return set ? "" : set.error().text;
}

TEST(Offsets, WrongOnesAreRefused) {
  EXPECT_EQ(
      refused(at(5, needs(1, 10), "")),
      "operation 'a' has the offset 5 ns but no transaction; name the one whose operations the same clock "
      "releases");
  EXPECT_EQ(refused(at(0, needs(1, 0))),
            "operation 'a' has the transaction 'clock' but no period; declare the transaction's");
  EXPECT_EQ(refused(at(10, needs(1, 10))),
            "operation 'a' has the offset 10 ns, which must be less than its period, 10 ns");
  EXPECT_EQ(refused(at(0, needs(1, 10), "a\n")),
            "operation 'a' has a transaction whose name has a control character");
  EXPECT_TRUE(contains(refused(at(-1, needs(1, 10))), "its offset, -1 ns, is negative"));
}

std::string unusable(const Repository& repository) {
  const auto analysis = analyse(repository, {});
  return analysis ? "" : text_of(analysis.error());
}

TEST(Offsets, TransactionsThatDoNotFitAreRefused) {
  EXPECT_EQ(
      unusable(operations({at(0, needs(1, 10)), at(0, needs(1, 20))})),
      "operation '2' of the transaction 'clock' has the period 20 ns, and '1' has 10 ns; they must be the "
      "same");
  Requirements later = needs(1, 10);
  later.phase = Time(3);
  EXPECT_EQ(
      unusable(operations({at(0, needs(1, 10)), at(0, later)})),
      "operation '2' of the transaction 'clock' has the phase 3 ns, and '1' has 0 ns; use offsets for what "
      "differs");
  Repository called = operations({needs(1, 10), at(0, needs(1, 10))});
  depend(called, 1, 2);
  EXPECT_EQ(
      unusable(called),
      "operation '2' of the transaction 'clock' is called by another operation, which releases it; leave "
      "the transaction out");
  Repository faster = operations({at(0, needs(1, 10)), needs(1, 5)});
  depend(faster, 1, 2);
  EXPECT_EQ(
      unusable(faster),
      "operation '1' of the transaction 'clock' runs every 5 ns because an operation that it calls has that "
      "period; give that operation threads of its own, or a longer period");
}

}  // namespace
}  // namespace takt::scheduling::offsets_test
