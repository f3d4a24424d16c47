// The parts of a simulated job that run with a lock or in a lane.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// A part of a job, with the level and the deadline floor of the locks that it holds.
struct Section {
  std::int64_t time = 0;
  std::int32_t level = 0;
  std::int64_t floor = std::numeric_limits<std::int64_t>::max();
};

// The sections of a job of `time`: it takes its locks one after the other when it begins, and then runs
// without for at least 1 ns, with only its lane's floor. Empty if the thread shares nothing.
std::vector<Section> sections_of(const Analysis& analysis, std::size_t thread, std::int64_t time);

}  // namespace takt::scheduling
