// Compares the analysis with the simulator for random task sets.
#include "schedulability/simulation/random_sets.h"
#include "schedulability/simulation/simulator.h"
#include "sets.h"

namespace takt::scheduling {
namespace {

// Ten thousand sets in all. Their hyperperiod is 5,040, which is quickly simulated.
constexpr std::int64_t periods[] = {10,  12,  14,  15,  16,  18,  20,  21,   24,   28,   30,  35,  36,
                                    40,  42,  45,  48,  56,  60,  63,  70,   72,   80,   84,  90,  105,
                                    112, 120, 126, 140, 144, 168, 180, 210,  240,  252,  280, 315, 336,
                                    360, 420, 504, 560, 630, 720, 840, 1008, 1260, 1680, 2520};
constexpr std::int64_t everything = 5040;

struct Kind {
  bool jitter = false, long_deadlines = false, implicit = false, groups = false;
  double least = 0.5, most = 1.05;
};

Repository any_set(RandomSets& random, const Kind& kind) {
  Repository repository;
  const auto count = static_cast<std::size_t>(random.between(2, 10));
  const double total = kind.least + (kind.most - kind.least) * random.fraction();
  for (const double each : random.utilisations(count, total)) {
    const std::int64_t period = kind.groups ? periods[static_cast<std::size_t>(random.between(0, 3)) * 11 + 3]
                                            : random.one_of(std::span<const std::int64_t>(periods));
    const auto execution = std::max<std::int64_t>(1, std::llround(each * static_cast<double>(period)));
    Requirements wanted = needs(execution, period);
    if (kind.long_deadlines)
      wanted.deadline = Time(random.between(1, 4 * period));
    else if (!kind.implicit)
      wanted.deadline = Time(random.between(std::min(execution, period), period));
    if (kind.jitter) wanted.jitter = Time(random.between(0, period));
    declare(repository, std::to_string(repository.infos().size() + 1), wanted);
  }
  return repository;
}

// Leaves out sets with utilisation near 1, for which it takes very long until a deadline is missed.
Repository random_set(RandomSets& random, const Kind& kind) {
  for (;;) {
    Repository repository = any_set(random, kind);
    double sum = -1.0;
    for (const RtInfo& each : repository.infos())
      sum += static_cast<double>(each.worstcase_execution_time.count()) /
             static_cast<double>(each.period.count());
    if (sum < (kind.jitter ? -1e-9 : 1e-9) || sum > 0.05) return repository;
  }
}

std::string print(const Repository& repository) {
  std::string text;
  for (const RtInfo& each : repository.infos())
    text += "C " + std::to_string(each.worstcase_execution_time.count()) + " T " +
            std::to_string(each.period.count()) + " D " + std::to_string(each.deadline.count()) + " J " +
            std::to_string(each.jitter.count()) + "; ";
  return text;
}

// Long enough for every thread that misses to miss once: the backlog grows by the excess demand.
Time horizon_of(const Analysis& analysis) {
  const double excess = analysis.processors[0].utilisation - 1.0;
  if (excess <= 1e-9) return Time(6 * everything);
  std::int64_t longest = 0;
  for (const Thread& each : analysis.threads) longest = std::max(longest, each.deadline.count());
  return Time(4 * everything + std::llround(2.0 * static_cast<double>(longest) / excess));
}

struct Count {
  int met = 0, missed = 0, unproven = 0;
};

// Every thread with verdict `misses` must miss, no thread with `meets` may, and the bound for fixed
// priorities is the response of the slowest job.
Count compare(std::uint64_t seed, int sets, Strategy strategy, const Kind& kind) {
  RandomSets random(seed);
  Count count;
  for (int i = 0; i < sets && !testing::Test::HasFailure(); ++i) {
    const Repository repository = random_set(random, kind);
    const Analysis analysis = analysed(repository, strategy, !kind.groups);
    const double utilisation = analysis.processors[0].utilisation;
    const SimulationOptions options{.horizon = horizon_of(analysis),
                                    .stop_at_miss = !is_fixed(strategy) && utilisation > 1.0 + 1e-9,
                                    .stop_when_idle = utilisation < 1.0 + 1e-9};
    const auto played = simulate(analysis, options);
    EXPECT_TRUE(played.complete);
    if (analysis.verdict == Verdict::misses) {
      EXPECT_GT(played.misses, 0u) << "seed " << seed << ", set " << i << " of " << print(repository);
    }
    for (std::size_t k = 0; k < analysis.threads.size(); ++k) {
      const ThreadResult& said = analysis.results[k];
      const Observed& seen = played.threads[k];
      count.met += said.verdict == Verdict::meets;
      count.missed += said.verdict == Verdict::misses;
      count.unproven += said.verdict == Verdict::unproven;
      const std::string what = "seed " + std::to_string(seed) + ", set " + std::to_string(i) +
                               ", operation " + std::to_string(k + 1) + " of " + print(repository);
      if (said.verdict == Verdict::meets) {
        EXPECT_EQ(seen.misses, 0u) << what;
      }
      if (said.verdict == Verdict::misses) {
        EXPECT_GT(options.stop_at_miss ? played.misses : seen.misses, 0u) << what;
      }
      if (!said.response) continue;
      EXPECT_LE(seen.worst_response, *said.response) << what;
      if (is_fixed(strategy) && !kind.groups) {
        EXPECT_EQ(seen.worst_response, *said.response) << what;
      }
    }
  }
  return count;
}

TEST(Properties, RateMonotonicIsExact) {
  const Count count = compare(1, 2000, Strategy::rate_monotonic, {.implicit = true, .least = 0.6});
  EXPECT_GT(count.met, 2000);
  EXPECT_GT(count.missed, 200);
  EXPECT_EQ(count.unproven, 0);
}

TEST(Properties, DeadlineMonotonicIsExact) {
  const Count count = compare(2, 2000, Strategy::deadline_monotonic, {});
  EXPECT_GT(count.met, 2000);
  EXPECT_GT(count.missed, 200);
  EXPECT_EQ(count.unproven, 0);
}

TEST(Properties, ArbitraryDeadlinesWithJitterAreExact) {
  const Count count =
      compare(3, 2000, Strategy::deadline_monotonic, {.jitter = true, .long_deadlines = true});
  EXPECT_GT(count.met, 2000);
  EXPECT_GT(count.missed, 200);
  EXPECT_EQ(count.unproven, 0);
}

TEST(Properties, SharedLevelsAreSafe) {
  const Count count = compare(4, 1500, Strategy::rate_monotonic, {.implicit = true, .groups = true});
  EXPECT_GT(count.met, 1500);
}

TEST(Properties, EarliestDeadlineIsExact) {
  const Count count = compare(5, 1500, Strategy::earliest_deadline_first, {.least = 0.7});
  EXPECT_GT(count.met, 1500);
  EXPECT_GT(count.missed, 150);
}

TEST(Properties, EarliestDeadlineWithJitterAndLongDeadlinesIsExact) {
  const Count count =
      compare(6, 500, Strategy::earliest_deadline_first, {.jitter = true, .long_deadlines = true});
  EXPECT_GT(count.met, 500);
  EXPECT_GT(count.missed, 50);
}

TEST(Properties, MinimumLaxityIsAsGoodAsEarliestDeadline) {
  const Count count = compare(7, 250, Strategy::minimum_laxity_first, {.least = 0.7});
  EXPECT_GT(count.met, 250);
  EXPECT_GT(count.missed, 25);
}

TEST(Properties, MaximumUrgencyMeetsTheDeadlinesOfTheCriticalSet) {
  const Count count =
      compare(8, 250, Strategy::maximum_urgency_first, {.implicit = true, .least = 0.9, .most = 1.4});
  EXPECT_GT(count.met, 250);
  EXPECT_GT(count.unproven, 25);
}

}  // namespace
}  // namespace takt::scheduling
