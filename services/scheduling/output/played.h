// The part of a schedule's run that a page shows.
#pragma once

#include <optional>

#include "schedulability/analysis/analysis.h"
#include "schedulability/simulation/simulator.h"

namespace takt::scheduling {

struct Played {
  Simulation simulation;
  // true: all threads are released together after their maximum jitter, as for verdict `misses`. false:
  // releases are at their phases.
  bool critical_instant = false;
  std::optional<FirstMiss> first_miss;
  Time begin{0}, end{0};  // the times that the chart shows
};

// Simulates a hyperperiod, or twenty times the longest period. If the analysis says that a deadline is
// missed, simulates from the critical instant until one is, and the chart shows the times around it. Takes at
// most a million steps, which is a second or two for a hostile file. Does no I/O.
Played play(const Analysis& analysis);

// The first arrival of a thread without a trigger. At the critical instant it is negative, by the thread's
// jitter.
Time first_arrival(const Played& played, const Thread& thread);

}  // namespace takt::scheduling
