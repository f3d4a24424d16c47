// Processor demand analysis: whether dynamic priorities meet all deadlines on one processor.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace takt::scheduling {

// Nanoseconds; periods are positive, other values not negative.
struct DemandLoad {
  std::int64_t execution = 0;
  std::int64_t period = 1;
  std::int64_t deadline = 0;  // from the arrival
  std::int64_t jitter = 0;
  std::int64_t blocking = 0;
};

enum class DemandVerdict {
  met,       // every deadline is met
  exceeded,  // released together, the loads need more time until `at` than there is
  blocked,   // the same, but only with worst-case blocking
  unknown    // the limit of steps was reached
};

struct Demand {
  DemandVerdict verdict = DemandVerdict::met;
  std::int64_t at = 0;      // from the synchronous release; 0: the long-run demand exceeds the processor
  std::int64_t needed = 0;  // demand until `at`
};

// The first deadline after a synchronous release with maximum jitter; negative if the jitter is longer.
constexpr std::int64_t first_deadline(const DemandLoad& load) { return load.deadline - load.jitter; }

// Whether one of its deadlines is `time` after such a release.
constexpr bool has_deadline_at(const DemandLoad& load, std::int64_t time) {
  return time >= first_deadline(load) && (time - first_deadline(load)) % load.period == 0;
}

// Exact without blocking for EDF, and for MLF, which is as good (Baruah et al. 1990, Dertouzos and Mok 1989).
// Checks deadlines backwards from the end of the busy period and skips those that the demand allows to skip
// (Zhang and Burns 2009).
Demand processor_demand(std::span<const DemandLoad> loads);

// The first instant at which the loads need more time than there is, without blocking; `before` is one such
// instant, and no deadline is sooner than its load's execution time. Earliest deadlines miss the deadline at
// this instant, and none before it. Empty if the limit of steps was reached.
std::optional<std::int64_t> first_overload(std::span<const DemandLoad> loads, std::int64_t before);

}  // namespace takt::scheduling
