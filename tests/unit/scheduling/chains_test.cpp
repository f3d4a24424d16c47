// Cause-effect chains: the age of data, and the time until a reaction.
#include "played_chains.h"
#include "schedulability/simulation/random_sets.h"
#include "scheduling/output/page.h"
#include "scheduling/output/report.h"
#include "scheduling/scheduler.h"
#include "sets.h"

namespace takt::scheduling::chains_test {
namespace {

void chain(Repository& repository, std::vector<ChainStep> steps, std::int64_t age = 0,
           std::int64_t reaction = 0) {
  const auto added = repository.add_chain(
      {.name = "chain", .steps = std::move(steps), .age = Time(age), .reaction = Time(reaction)});
  EXPECT_TRUE(added) << added.error().text;
}
Requirements on(std::int32_t processor, Requirements wanted) {
  wanted.processor = processor;
  return wanted;
}

// Computed by hand: periods 10 and 30, responses 2 and 5, on two processors.
TEST(Chains, AddPeriodsAndResponses) {
  Repository repository = operations({on(0, needs(2, 10)), on(1, needs(5, 30))});
  chain(repository, {{1}, {2}});
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  ASSERT_EQ(analysis.chains.size(), 1u);
  EXPECT_EQ(analysis.chains[0].reaction, Time(10 + 2 + 30 + 5));
  EXPECT_EQ(analysis.chains[0].age, Time(10 + 2 + 30 + 5));
  EXPECT_EQ(analysis.chains[0].verdict, Verdict::meets) << "without a limit";
}

// On one processor the producer, which is more urgent, is done whenever the consumer begins.
TEST(Chains, AMoreUrgentProducerIsDone) {
  Repository repository = operations({needs(2, 10), needs(5, 30)});
  chain(repository, {{1}, {2}});
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(10 + 30 + 7));
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].reaction, Time(10 + 30 + 7));
  EXPECT_EQ(analysed(repository, Strategy::earliest_deadline_first).chains[0].age, Time(10 + 7 + 30 + 7))
      << "which fixed priorities alone promise";
  RtInfo& first = repository.at_valid(1);
  first.jitter = Time(1);
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(10 + 3 + 30 + 7));
  first.jitter = Time(0), first.blocking = Time(1);
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(10 + 3 + 30 + 7));
}

TEST(Chains, ALessUrgentProducerIsNotDone) {
  Repository repository = operations({needs(2, 10), needs(5, 30)});
  chain(repository, {{2}, {1}});
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(30 + 7 + 10 + 2));
}

TEST(Chains, ADelayCountsLikeAResponse) {
  Repository repository = operations({needs(2, 10), needs(5, 30)});
  chain(repository, {{1}, {2, Time(4)}});
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(10 + 2 + 4 + 30 + 7));
}

// An operation that a one-way call starts needs no period of its own: 10 and the response of both, 2 + 3.
TEST(Chains, AStartedOperationReadsAtOnce) {
  Repository repository = operations({on(0, needs(2, 10)), on(1, needs(3, 0))});
  depend(repository, 1, 2, 1, DependencyType::one_way);
  chain(repository, {{1}, {2}});
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].reaction, Time(10 + 5));
  EXPECT_EQ(analysed(repository, Strategy::rate_monotonic).chains[0].age, Time(10 + 5));
}

TEST(Chains, LimitsAreJudgedAndReported) {
  Repository repository = operations({on(0, needs(2, 10)), on(1, needs(5, 30))});
  chain(repository, {{1}, {2}}, 47, 46);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(analysis.verdict, Verdict::meets) << "that of the deadlines";
  EXPECT_EQ(analysis.critical_verdict, Verdict::unproven);
  const std::string text =
      "chain 'chain': its data are up to 47 ns old (limit 47 ns: kept); a reaction takes up to 47 ns (limit "
      "46 ns: "
      "unproven)";
  EXPECT_TRUE(contains(report(repository, analysis), "\n" + text + "\n"));
  EXPECT_TRUE(contains(report(repository, analysis),
                       ": every deadline is met, but not every chain is proven to keep its limits.\n"));
  EXPECT_TRUE(contains(page(repository, analysis, "t"), "its data are up to 47 ns old"));
  Scheduler scheduler({}, repository);
  const auto computed = scheduler.compute_scheduling(1, 99);
  ASSERT_FALSE(computed);
  EXPECT_EQ(computed.error().text, text);
}

TEST(Chains, WithoutAResponseThereIsNoBound) {
  Repository repository = operations({needs(8, 10), needs(8, 30)});
  chain(repository, {{1}, {2}}, 1000);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(analysis.chains[0].age, std::nullopt);
  EXPECT_EQ(analysis.chains[0].verdict, Verdict::unproven);
  EXPECT_TRUE(
      contains(report(repository, analysis),
               "chain 'chain': the age of its data has no bound (limit 1 us: unproven); a reaction has no "
               "bound\n"));
}

std::string refused(Chain wanted) {
  Repository repository = operations({needs(1, 10), needs(1, 10)});
  const auto added = repository.add_chain(std::move(wanted));
  return added ? "" : added.error().text;
}

TEST(Chains, WrongOnesAreRefused) {
  const auto with = [](std::vector<ChainStep> steps) {
    return Chain{.name = "c", .steps = std::move(steps)};
  };
  EXPECT_EQ(refused({}), "chain '' has a name that is empty or has a control character");
  EXPECT_EQ(refused(with({})), "chain 'c' has no operations");
  EXPECT_EQ(refused(with({{1, Time(1)}})), "chain 'c' begins with a delay; only later operations have one");
  EXPECT_EQ(refused(with({{1}, {2}, {1}})), "chain 'c' has the operation '1' twice");
  EXPECT_EQ(refused(with({{1}, {2, Time(-1)}})),
            "chain 'c' has a delay of -1 ns before '2'; the range is 0 to 9007199254740992 ns");
  EXPECT_EQ(refused(with({{1}, {3}})), "no operation has the handle 3; there are 2");
  EXPECT_EQ(refused({.name = "c", .steps = {{1}}, .age = Time(-1)}),
            "chain 'c' has a limit of -1 ns; the range is 1 to 9007199254740992 ns");
  Repository repository = operations({needs(1, 10)});
  chain(repository, {{1}});
  EXPECT_EQ(repository.add_chain({.name = "chain", .steps = {{1}}}).error().text,
            "chain 'chain' is already registered");
}

std::string unusable(const Repository& repository) {
  const auto analysis = analyse(repository, {});
  return analysis ? "" : text_of(analysis.error());
}

TEST(Chains, OperationsWithoutOneThreadAreRefused) {
  Repository passive = operations({needs(1, 10), needs(1, 0)});
  depend(passive, 1, 2);
  chain(passive, {{1}, {2}});
  EXPECT_EQ(unusable(passive),
            "operation '2' of the chain 'chain' begins no thread; name the operation that calls it instead");
  Repository remote = operations({needs(1, 10), on(1, needs(1, 0))});
  depend(remote, 1, 2);
  chain(remote, {{2}});
  EXPECT_EQ(
      unusable(remote),
      "operation '2' of the chain 'chain' runs while its caller waits; name the operation that calls it "
      "instead");
  Repository twice = operations({needs(1, 10), needs(1, 20), needs(1, 0)});
  depend(twice, 1, 3, 1, DependencyType::one_way);
  depend(twice, 2, 3, 1, DependencyType::one_way);
  chain(twice, {{3}});
  EXPECT_EQ(
      unusable(twice),
      "operation '3' of the chain 'chain' begins several threads, one for each caller; only one is analysed");
}

Repository any_set(RandomSets& random) {
  constexpr std::int64_t periods[] = {20, 24, 30, 40, 60, 80, 120};
  Repository repository;
  const std::int64_t count = random.between(2, 6);
  std::vector<ChainStep> steps;
  for (const double part :
       random.utilisations(static_cast<std::size_t>(count), 0.5 + 0.9 * random.fraction())) {
    const std::int64_t period = random.one_of(std::span<const std::int64_t>(periods));
    const auto handle = static_cast<Handle>(repository.infos().size() + 1);
    const bool started = handle > 1 && random.between(0, 3) == 0;
    Requirements wanted = needs(std::max<std::int64_t>(1, std::llround(part * static_cast<double>(period))),
                                started ? 0 : period, random.between(1, 2 * period));
    wanted.processor = static_cast<std::int32_t>(random.between(0, 1));
    wanted.phase = Time(random.between(0, 60));
    if (!started && random.between(0, 3) == 0) wanted.jitter = Time(random.between(0, period));
    declare(repository, std::to_string(handle), wanted);
    if (started)
      depend(repository, static_cast<Handle>(random.between(1, handle - 1)), handle, 1,
             DependencyType::one_way);
    if (random.between(0, 3) == 0) continue;
    const Time delay(!steps.empty() && random.between(0, 3) == 0 ? random.between(1, 20) : 0);
    steps.push_back({handle, delay});
  }
  if (steps.empty()) steps.push_back({1});
  if (random.between(0, 1) == 0) std::ranges::reverse(steps);
  steps.front().delay = Time(0);
  chain(repository, std::move(steps));
  return repository;
}

// The example of docs/user/scheduling.md.
TEST(Chains, TheDocumentedExampleIsTrue) {
  Repository repository = operations({needs(3, 20), needs(5, 30), on(1, needs(4, 40))});
  chain(repository, {{1}, {2}, {3, Time(2)}}, 110, 100);
  const auto analysis = analysed(repository, Strategy::rate_monotonic);
  EXPECT_EQ(describe(repository, analysis, 0),
            "chain 'chain': its data are up to 104 ns old (limit 110 ns: kept); a reaction takes up to 104 "
            "ns (limit "
            "100 ns: unproven)");
}

struct Count {
  int bounds = 0, near = 0, shorter = 0;
};

// Compares the bounds with simulations from random phases and from the critical instant, and with the sum of
// all periods, responses and delays.
Count compare(std::uint64_t seed, int sets, Strategy strategy) {
  RandomSets random(seed);
  Count count;
  for (int i = 0; i < sets && !testing::Test::HasFailure(); ++i) {
    const Repository repository = any_set(random);
    const Analysis analysis = analysed(repository, strategy, i % 3 != 0);
    const ChainResult& said = analysis.chains[0];
    const Chain& declared = repository.chains()[0];
    if (!said.age) continue;
    Time sum{0};
    for (std::size_t k = 0; k < said.threads.size(); ++k)
      sum += analysis.threads[said.threads[k]].period + *analysis.results[said.threads[k]].response +
             declared.steps[k].delay;
    count.shorter += *said.age < sum && *said.reaction < sum;
    for (const bool together : {false, true}) {
      const auto played =
          simulate(analysis, {.horizon = Time(3'000), .critical_instant = together, .most_jobs = 100'000});
      const PlayedChain seen = ChainPlayer(played, declared, said.threads).look();
      const std::string what = "seed " + std::to_string(seed) + ", set " + std::to_string(i);
      EXPECT_LE(*said.age, sum) << what;
      EXPECT_LE(*said.reaction, sum) << what;
      EXPECT_LE(seen.age, *said.age) << what;
      EXPECT_LE(seen.reaction, *said.reaction) << what;
      ++count.bounds;
      count.near += seen.reaction.count() * 10 >= said.reaction->count() * 9;
    }
  }
  return count;
}

TEST(Chains, OfFixedPrioritiesKeepTheirBounds) {
  const Count count = compare(61, 1500, Strategy::deadline_monotonic);
  EXPECT_GT(count.bounds, 2000);
  EXPECT_GT(count.near, 100);
  EXPECT_GT(count.shorter, 200);
}
TEST(Chains, OfEarliestDeadlinesKeepTheirBounds) {
  EXPECT_GT(compare(62, 700, Strategy::earliest_deadline_first).bounds, 700);
}

}  // namespace
}  // namespace takt::scheduling::chains_test
