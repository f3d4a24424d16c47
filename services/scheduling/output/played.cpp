#include "scheduling/output/played.h"

#include <algorithm>

#include "schedulability/model/checked.h"

namespace takt::scheduling {
namespace {

constexpr std::size_t most_slices = 4000, most_steps = 400'000, most_further_steps = 200'000;

Time longest_period(const Analysis& analysis) {
  Time longest{0};
  for (const Thread& each : analysis.threads) longest = std::max({longest, each.period, each.phase});
  return longest;
}

// Simulates until the first deadline is missed, however late that is.
std::optional<FirstMiss> look_for_miss(const Analysis& analysis) {
  const SimulationOptions options{.horizon = Time(unbounded - 1),
                                  .critical_instant = true,
                                  .stop_at_miss = true,
                                  .most_steps = most_further_steps};
  return first_miss(simulate(analysis, options));
}

// Shows the whole job that misses its deadline, and what follows it.
void show(const Analysis& analysis, const FirstMiss& miss, SimulationOptions options, Played& played) {
  const Thread& thread = analysis.threads[miss.thread];
  const std::int64_t from = miss.at.count() - thread.deadline.count() - thread.period.count() / 4;
  options.keep_from = Time(std::max<std::int64_t>(0, from));
  options.horizon = Time(add(miss.at.count(), std::max<std::int64_t>(1, thread.period.count() / 2)));
  options.most_steps = most_further_steps + most_steps;
  played.simulation = simulate(analysis, options);
  played.begin = options.keep_from;
}

}  // namespace

Played play(const Analysis& analysis) {
  Played played;
  played.critical_instant = analysis.verdict == Verdict::misses;
  const Time usual = Time(multiply(20, longest_period(analysis).count()));
  const SimulationOptions options{.horizon = std::min(hyperperiod(analysis.threads).value_or(usual), usual),
                                  .critical_instant = played.critical_instant,
                                  .most_slices = most_slices,
                                  .most_steps = most_steps};
  played.simulation = simulate(analysis, options);
  played.first_miss = first_miss(played.simulation);
  if (!played.first_miss && played.critical_instant) played.first_miss = look_for_miss(analysis);
  if (played.first_miss && played.first_miss->at >= played.simulation.kept_until)
    show(analysis, *played.first_miss, options, played);
  played.end = played.simulation.kept_until;
  return played;
}

Time first_arrival(const Played& played, const Thread& thread) {
  return first_arrival(thread, {.critical_instant = played.critical_instant});
}

}  // namespace takt::scheduling
