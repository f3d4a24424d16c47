#include "os/threads/processor_time.h"

#include <ctime>

namespace takt::os {

std::chrono::nanoseconds thread_processor_time() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace takt::os
