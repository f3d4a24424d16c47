// Processor demand: whether dynamic priorities suffice on one processor.
#pragma once

#include <cstdint>
#include <span>

namespace takt::scheduling {

// Nanoseconds; periods over 0, nothing negative.
struct DemandLoad {
  std::int64_t execution = 0;
  std::int64_t period = 1;
  std::int64_t deadline = 0;  // from the arrival
  std::int64_t jitter = 0;
  std::int64_t blocking = 0;
};

enum class DemandVerdict {
  met,       // every deadline is met
  exceeded,  // with all released together, more has to be done until `at` than there is time
  blocked,   // the same, but only if blocking comes at its worst
  unknown    // not found out within the steps that it is given
};

struct Demand {
  DemandVerdict verdict = DemandVerdict::met;
  std::int64_t at = 0;  // from the synchronous release; 0: the demand exceeds the processor in the long run
  std::int64_t needed = 0;  // until then
};

// Exact for EDF, and for MLF, which is as good, where nothing blocks (Baruah et al. 1990, Dertouzos and Mok
// 1989). Looks at deadlines from the end of the busy period backwards, skipping where demand allows (Zhang
// and Burns 2009).
Demand processor_demand(std::span<const DemandLoad> loads);

}  // namespace takt::scheduling
