// How the system's functions answer.
#pragma once

#include <cerrno>

namespace takt::sim {

// A count, or -1 with errno; from a count or an errno value below 0.
inline int answer(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace takt::sim
