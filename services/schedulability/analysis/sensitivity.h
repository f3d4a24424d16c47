// How far execution times may grow, or must shrink.
#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

struct Margin {
  Handle operation = 0;
  Time now{0};
  // The longest worst case of this operation, all else unchanged, with which the critical set meets its
  // deadlines. Empty if it does not meet them even with 0; longest_time if nothing limits it.
  std::optional<Time> longest;
  bool examined = true;  // false: `longest` was not found within the limit of work
};

struct Sensitivity {
  std::vector<Margin> margins;  // by operation
  // The largest factor for all execution times and uses of locks, in thousandths; at most 1,000,000. If the
  // limit of work ended the search, a factor with which deadlines are met, though perhaps not the largest.
  std::int64_t scale_permille = 0;
  // If deadlines are missed: the operation that must lose the smallest fraction of its time, if shortening
  // one operation is enough.
  std::optional<Handle> shorten;
};

// Bisects with the complete analysis, about fifty times per operation: suitable for dozens to hundreds of
// operations. `most_steps` limits the work, to a minute or two: then operations, the last ones first, are not
// examined.
std::expected<Sensitivity, AnalysisFault> sensitivity(const Repository& repository,
                                                      const PriorityOptions& options,
                                                      std::int64_t most_steps = 20'000'000'000);

}  // namespace takt::scheduling
