// Percentiles of measured values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace takt::command {

// Nearest-rank percentile of sorted values, of which there must be at least one. `share` is from 0 to 1.
template <class T>
T nearest_rank(const std::vector<T>& sorted, double share) {
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::max<std::size_t>(rank, 1) - 1];
}

}  // namespace takt::command
