// Random task sets: compares the analysis with the simulator, and measures how long the analysis takes.
// Prints a line of JSON for each part.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "schedulability/analysis/analysis.h"
#include "schedulability/simulation/simulator.h"
#include "schedule/task_sets.h"

namespace {

using namespace takt::scheduling;
using bench::declare, bench::millisecond, bench::periods_ms;

// For rate-monotonic priorities, deadlines are the ends of periods; for others, anywhere in the second half
// of the period.
Repository small_set(RandomSets& random, Strategy strategy) {
  Repository repository;
  const auto count = static_cast<std::size_t>(random.between(5, 50));
  for (const double each : random.utilisations(count, 0.5 + 0.5 * random.fraction()))
    declare(repository, each, random.one_of(std::span<const std::int64_t>(periods_ms)) * millisecond,
            strategy == Strategy::rate_monotonic ? 1.0 : 0.5 + 0.5 * random.fraction());
  return repository;
}

void simulate_sets(std::int64_t sets, std::uint64_t seed, Strategy strategy) {
  RandomSets random(seed);
  std::int64_t contradictions = 0, feasible = 0, infeasible = 0, unproven = 0;
  std::uint64_t releases = 0;
  for (std::int64_t i = 0; i < sets; ++i) {
    const Repository repository = small_set(random, strategy);
    const auto analysis = analyse(repository, {.strategy = strategy, .level_each = true});
    if (!analysis) std::abort();
    const Simulation played =
        simulate(*analysis, {.horizon = Time(2 * 5040 * millisecond), .stop_when_idle = false});
    releases += played.releases;
    const bool missed = played.misses > 0;
    feasible += analysis->verdict == Verdict::meets;
    infeasible += analysis->verdict == Verdict::misses;
    unproven += analysis->verdict == Verdict::unproven;
    contradictions += analysis->verdict == Verdict::meets && missed;
    contradictions += analysis->verdict == Verdict::misses && !missed;
  }
  std::printf(
      "{\"part\": \"simulation\", \"strategy\": \"%s\", \"task_sets\": %lld, \"contradictions\": %lld, "
      "\"feasible\": %lld, \"infeasible\": %lld, \"unproven\": %lld, \"releases\": %llu, \"seed\": %llu}\n",
      strategy_short_names[static_cast<std::size_t>(strategy)].data(), static_cast<long long>(sets),
      static_cast<long long>(contradictions), static_cast<long long>(feasible),
      static_cast<long long>(infeasible), static_cast<long long>(unproven),
      static_cast<unsigned long long>(releases), static_cast<unsigned long long>(seed));
}

// Periods are whole milliseconds from 1 ms to 1 s, uniform in their logarithm; total utilisation is 70 %;
// each rate has a level.
void measure_speed(std::int64_t operations, std::uint64_t seed) {
  RandomSets random(seed);
  Repository repository;
  for (const double each : random.utilisations(static_cast<std::size_t>(operations), 0.7))
    declare(repository, each, std::llround(std::pow(1000.0, random.fraction())) * millisecond);
  for (const bool level_each : {false, true}) {
    const auto begin = std::chrono::steady_clock::now();
    const auto analysis = analyse(repository, {.level_each = level_each});
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
    if (!analysis) std::abort();
    std::printf(
        "{\"part\": \"speed-%lld%s\", \"operations\": %lld, \"levels\": %d, \"seconds\": %.6f, \"verdict\": "
        "\"%s\"}\n",
        static_cast<long long>(operations), level_each ? "-level-each" : "",
        static_cast<long long>(operations), analysis->levels, taken.count(),
        std::string(word_of(analysis->verdict)).c_str());
  }
}

}  // namespace

// bench_schedule simulation STRATEGY SETS SEED | speed OPERATIONS SEED
int main(int argc, char** argv) {
  const std::string_view part = argc > 1 ? argv[1] : "";
  if (part == "speed" && argc == 4) {
    measure_speed(std::atoll(argv[2]), std::strtoull(argv[3], nullptr, 10));
    return 0;
  }
  if (part != "simulation" || argc != 5) return 2;
  for (std::size_t i = 0; i < strategy_short_names.size(); ++i)
    if (strategy_short_names[i] == argv[2])
      simulate_sets(std::atoll(argv[3]), std::strtoull(argv[4], nullptr, 10), static_cast<Strategy>(i));
  return 0;
}
