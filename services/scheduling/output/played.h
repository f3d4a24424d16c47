// The part of a schedule's run that a page shows.
#pragma once

#include <optional>

#include "scheduling/analysis/analysis.h"
#include "scheduling/simulation/simulator.h"

namespace takt::scheduling {

struct Played {
  Simulation simulation;
  // All threads are released together, at the end of their jitter, as the verdict "misses" has it; otherwise
  // releases are at their phases.
  bool critical_instant = false;
  std::optional<FirstMiss> first_miss;
  Time begin{0}, end{0};  // what the picture shows
};

// Plays a hyperperiod, or twenty of the longest period; where the analysis says that a deadline is missed,
// from the critical instant, and on until one is, whose surroundings are the picture then. Takes a million
// steps at most, which a file from anybody costs a second or two. No I/O.
Played play(const Analysis& analysis);

// First arrival of a thread that nobody releases; negative by its jitter from the critical instant.
Time first_arrival(const Played& played, const Thread& thread);

}  // namespace takt::scheduling
