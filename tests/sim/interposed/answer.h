// Return values of system functions.
#pragma once

#include <cerrno>

namespace takt::sim {

// Converts a result to the C convention: a count, or -1 with errno for a negative errno value.
inline int answer(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace takt::sim
