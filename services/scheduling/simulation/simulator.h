// A schedule played through in virtual time, to the nanosecond.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "scheduling/analysis/analysis.h"

namespace takt::scheduling {

// How those of one level are ordered.
enum class Within {
  queue,     // by sub-priority; who runs is not preempted by its own level
  deadline,  // the earliest first; preempts
  laxity     // the least first; preempts
};

struct SimulationOptions {
  Time horizon{0};  // nothing that begins later is looked at
  // All arrive as much earlier as their jitter and are released together: the critical instant. Otherwise
  // releases are at their phase, without jitter.
  bool critical_instant = true;
  bool stop_at_miss = false;
  bool stop_when_idle = false;  // nothing that was released is left
  Time keep_from{0};            // slices that end before are not kept
  std::size_t most_slices = 0;  // how many are kept
  std::size_t most_steps = 100'000'000;
};

// One thread on one processor without a break.
struct Slice {
  std::size_t thread = 0;
  std::int32_t processor = 0;
  Time begin{0}, end{0};
};

struct Observed {
  Time worst_response{0};  // from the arrival
  std::uint64_t jobs = 0;  // completed
  std::uint64_t misses = 0;
  std::optional<Time> first_miss;  // the deadline that passed first
};

struct Simulation {
  std::vector<Observed> threads;  // as in the analysis
  std::vector<Slice> slices;      // in order of their ends
  Time end{0};                    // how far it came
  Time kept_until{0};             // all slices until then are kept
  std::uint64_t releases = 0;
  std::uint64_t misses = 0;
  bool complete = true;  // not out of steps
};

// The earliest deadline that passed, of all threads, and whose it was.
struct FirstMiss {
  Time at{0};
  std::size_t thread = 0;
};
std::optional<FirstMiss> first_miss(const Simulation& simulation);

// Plays an analysis' threads with its priorities; each job takes its whole execution time, a caller that
// waits makes its calls one after the other when it has done half of its own.
Simulation simulate(const Analysis& analysis, const SimulationOptions& options);

// After which everything repeats; nothing where that is longer than can be counted.
std::optional<Time> hyperperiod(std::span<const Thread> threads);

}  // namespace takt::scheduling
