// Analyses which deadlines a schedule meets.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "schedulability/analysis/blocking.h"
#include "schedulability/analysis/response_time.h"
#include "schedulability/model/priorities.h"

namespace takt::scheduling {

enum class Verdict {
  meets,     // in every case
  unproven,  // neither meeting nor missing is proven
  misses     // at the latest when all threads are released together after their maximum jitter
};
constexpr std::string_view word_of(Verdict verdict) {
  return verdict == Verdict::meets ? "meets" : verdict == Verdict::misses ? "misses" : "unproven";
}

struct ThreadResult {
  Verdict verdict = Verdict::meets;
  // The worst-case response time, from the arrival (of the chain, for a thread with a trigger). Empty if no
  // bound is known, as with dynamic priorities near full utilisation. `load` is the input that gave the
  // bound.
  std::optional<Time> response;
  Response found;
  bool by_busy_period = false;  // the bound is how long the processor can be busy, not that of `load`
  Load load;
  // How much of the response's window other threads take, by their numbers; empty if their loads tell it.
  std::vector<std::pair<std::size_t, std::int64_t>> shares;
  Time demand_blocking{0};  // by locks and lanes, in the demand of earliest deadlines
  ThreadPriority priority;
};

// An interval in which demand exceeds a processor's time: from a synchronous release until `at`.
struct Overload {
  Time at{0};
  Time needed{0};
};

// The verdict may be `misses` although none of its threads has it: one of them misses, but it is not known
// which.
struct ProcessorResult {
  std::int32_t processor = 0;
  std::size_t threads = 0;
  double utilisation = 0;
  std::optional<double> critical_utilisation;  // MUF only
  // For rate-monotonic priorities. Empty if the bounds do not apply: deadlines before the end of the period,
  // jitter, blocking, or calls across processors.
  std::optional<double> liu_layland;
  std::optional<double> hyperbolic;
  std::optional<Overload> overload;  // dynamic priorities only
  Verdict verdict = Verdict::meets;
};

// The bounds of the chain with the same number in the repository.
struct ChainResult {
  std::vector<std::size_t> threads;
  // Empty if there is no bound, because a response has none. The age is that of the data in the last
  // operation's value, at any time until it is replaced; the reaction begins with an event that just misses
  // the first operation's begin, and ends with the last one's end.
  std::optional<Time> age = std::nullopt, reaction = std::nullopt;
  Verdict verdict = Verdict::meets;  // whether both are within their limits; never `misses`
};

struct Analysis {
  PriorityOptions options;
  std::vector<Thread> threads;
  std::vector<ThreadResult> results;  // by thread
  std::vector<ProcessorResult> processors;
  std::vector<Shared> shared;  // locks and lanes
  std::vector<Reservation> reservations;
  std::vector<ChainResult> chains;
  std::int32_t levels = 0;
  // The lowest level such that all threads at this level and at more urgent ones meet their deadlines. This
  // is the paper's question.
  std::optional<std::int32_t> lowest_safe_level;
  Verdict verdict = Verdict::meets;           // the worst of all threads
  Verdict critical_verdict = Verdict::meets;  // the worst of the critical set, and of all chains
  std::int64_t steps = 0;                     // the work that it took: some nanoseconds each
};

using AnalysisFault = std::variant<GraphFault, PriorityFault>;

// Allocates. Usually takes less than a second for 10,000 threads, and three with transactions. Near full
// utilisation, some hundred threads with different periods may take longer: a limit of steps (usual_steps)
// ends each part of the analysis, that of all responses and that of each processor's misses or demand, after
// a second or two. Does no I/O and only reads the repository.
std::expected<Analysis, AnalysisFault> analyse(const Repository& repository, const PriorityOptions& options);

// The error text.
const std::string& text_of(const AnalysisFault& fault);

}  // namespace takt::scheduling
