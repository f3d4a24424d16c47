// Which deadlines are met.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scheduling/analysis/response_time.h"
#include "scheduling/model/priorities.h"

namespace takt::scheduling {

enum class Verdict {
  meets,     // always
  unproven,  // no proof was found that it does, nor that it does not
  misses     // at the latest when all are released together at the end of their jitter
};
constexpr std::string_view word_of(Verdict verdict) {
  return verdict == Verdict::meets ? "meets" : verdict == Verdict::misses ? "misses" : "unproven";
}

struct ThreadResult {
  Verdict verdict = Verdict::meets;
  // From the arrival, of its chain where it has a trigger; at worst. Nothing where no bound is known, as with
  // dynamic priorities near full use. `load` is what the bound was found with.
  std::optional<Time> response;
  Response found;
  Load load;
  ThreadPriority priority;
};

// The time that is asked of a processor until `at` after a synchronous release is more than there is.
struct Overload {
  Time at{0};
  Time needed{0};
};

struct ProcessorResult {
  std::int32_t processor = 0;
  std::size_t threads = 0;
  double utilisation = 0;
  std::optional<double> critical_utilisation;  // of the critical set, with MUF
  // Of rate-monotonic priorities; nothing where the bound does not apply (deadlines before the end of the
  // period, jitter, blocking, calls across processors).
  std::optional<double> liu_layland;
  std::optional<double> hyperbolic;
  std::optional<Overload> overload;  // of dynamic priorities
  Verdict verdict = Verdict::meets;
};

struct Analysis {
  PriorityOptions options;
  std::vector<Thread> threads;
  std::vector<ThreadResult> results;  // of each thread
  std::vector<ProcessorResult> processors;
  std::int32_t levels = 0;
  // The paper's question: all threads of this level and of the more urgent ones meet their deadlines.
  std::optional<std::int32_t> lowest_safe_level;
  Verdict verdict = Verdict::meets;           // of all
  Verdict critical_verdict = Verdict::meets;  // of the critical set; the same but with MUF
};

using AnalysisFault = std::variant<GraphFault, PriorityFault>;

// Takes memory and, for 10,000 threads, up to a second. No I/O; the repository is only read.
std::expected<Analysis, AnalysisFault> analyse(const Repository& repository, const PriorityOptions& options);

// The text of the fault that it is.
const std::string& text_of(const AnalysisFault& fault);

}  // namespace takt::scheduling
