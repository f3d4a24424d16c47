// How far execution times may grow, or have to shrink.
#pragma once

#include <expected>
#include <optional>
#include <vector>

#include "scheduling/analysis/analysis.h"

namespace takt::scheduling {

struct Margin {
  Handle operation = 0;
  Time now{0};
  // The longest worst case of this operation alone with which the critical set meets every deadline; nothing
  // where it does not even with 0. longest_time where nothing limits it.
  std::optional<Time> longest;
};

struct Sensitivity {
  std::vector<Margin> margins;  // of each operation
  // What all execution times may be multiplied by, in thousandths; at most 1,000,000.
  std::int64_t scale_permille = 0;
  // Where deadlines are missed: the operation that has to lose the smallest part of its time, if one alone
  // suffices.
  std::optional<Handle> shorten;
};

// By bisection with the whole analysis, some fifty times per operation: for dozens to hundreds of operations.
std::expected<Sensitivity, AnalysisFault> sensitivity(const Repository& repository,
                                                      const PriorityOptions& options);

}  // namespace takt::scheduling
