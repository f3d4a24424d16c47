// Simulates a schedule in virtual time, to the nanosecond.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// The order of jobs within one level.
enum class Within {
  queue,     // by sub-priority; a running job is not preempted by its own level
  deadline,  // earliest first; preempts
  laxity     // least first; preempts
};

struct SimulationOptions {
  Time horizon{0};  // end of the simulated time
  // All jobs arrive earlier by their jitter and are released together: the critical instant. If false,
  // releases are at their phases, without jitter.
  bool critical_instant = true;
  // At the critical instant, when each transaction's clock ticks, by its number less 1; 0 if it is not given.
  // Jobs that its threads' jitter can delay until the begin of the simulation are released there.
  std::vector<Time> ticks = {};
  bool stop_at_miss = false;
  bool stop_when_idle = false;  // stop when all released jobs are done
  Time keep_from{0};            // slices that end before are not kept
  std::size_t most_slices = 0;  // maximum number of kept slices
  std::size_t most_jobs = 0;    // maximum number of kept jobs
  std::size_t most_steps = 100'000'000;
  std::size_t most_unfinished =
      1'000'000;  // jobs at one time, about 150 octets each; an overload adds more and more
};

// A period in which one thread runs on one processor without interruption.
struct Slice {
  std::size_t thread = 0;
  std::int32_t processor = 0;
  Time begin{0}, end{0};
};

// A job that is done.
struct PlayedJob {
  std::size_t thread = 0;
  Time arrival{0};  // when its chain was released
  Time begin{0}, end{0};
};

struct Observed {
  Time worst_response{0};  // from the arrival
  std::uint64_t jobs = 0;  // completed
  std::uint64_t misses = 0;
  std::optional<Time> first_miss;  // the earliest missed deadline
};

struct Simulation {
  std::vector<Observed> threads;  // by thread, as in the analysis
  std::vector<PlayedJob> jobs;    // in the order of their ends, without those that callers wait for
  std::vector<Slice> slices;      // in the order of their ends
  Time end{0};                    // simulated time reached
  Time kept_until{0};             // all slices before this time are kept
  std::uint64_t releases = 0;
  std::uint64_t misses = 0;
  bool complete = true;  // false: the limit of steps or of unfinished jobs was reached
};

// The earliest missed deadline of all threads, and its thread.
struct FirstMiss {
  Time at{0};
  std::size_t thread = 0;
};
std::optional<FirstMiss> first_miss(const Simulation& simulation);

// Simulates the threads of an analysis with their priorities. Reservations are constant bandwidth servers,
// the earliest deadline first. Each job takes its worst-case execution time, and holds its locks one after
// the other when it begins. A caller that waits takes no locks, and makes its calls one after the other after
// half of its own time.
Simulation simulate(const Analysis& analysis, const SimulationOptions& options);

// When the first job of a thread without a trigger arrives.
Time first_arrival(const Thread& thread, const SimulationOptions& options);

// The time after which the schedule repeats; empty if it overflows.
std::optional<Time> hyperperiod(std::span<const Thread> threads);

}  // namespace takt::scheduling
