// The processor time of the calling thread, and work that takes some.
#pragma once

#include <time.h>

#include <chrono>

namespace bench {

using std::chrono::nanoseconds;

inline nanoseconds processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + nanoseconds(now.tv_nsec);
}

inline void work_for(nanoseconds time) {
  const auto end = processor_time() + time;
  while (processor_time() < end) {
  }
}

}  // namespace bench
