// Measured response times beside the predicted bounds.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// The measured jobs of one thread, identified by its entry. Times run from the release to the end.
struct Measured {
  std::string entry_point;
  std::int64_t jobs = 0, misses = 0;
  Time median{0}, p99{0}, longest{0};
  Time jitter{0};  // slowest minus fastest
};

// A measured thread of the schedule.
struct MeasuredRow {
  const Thread* thread;
  const ThreadResult* result;
  const Measured* measured;

  // By how much the slowest job took longer than the proven bound; 0 if none did, or if there is no bound.
  Time beyond_bound() const;
};
// By priority. Threads that are not in the schedule are left out. The rows refer to the arguments.
std::vector<MeasuredRow> measured_rows(const Repository& repository, const Analysis& analysis,
                                       std::span<const Measured> measured);

// The operations that only the schedule or only the run has, by name, each once.
struct NotCompared {
  std::vector<std::string> unmeasured;  // threads begin at them, but none of their jobs was measured
  std::vector<const Measured*>
      unknown;  // no thread of the schedule begins at them; they refer to the argument
};
NotCompared not_compared(const Repository& repository, const Analysis& analysis,
                         std::span<const Measured> measured);

// The bound of each measured thread beside its measurement, as text and as SVG, by priority. The text ends
// with the threads that are beyond their bounds and with what was not compared; the SVG leaves that out.
// `delay`: by how much the machine itself delayed the most urgent thread during the run, if that was
// measured.
std::string measured_report(const Repository& repository, const Analysis& analysis,
                            std::span<const Measured> measured, std::optional<Time> delay = std::nullopt);
std::string measured_chart(const Repository& repository, const Analysis& analysis,
                           std::span<const Measured> measured);

}  // namespace takt::scheduling
