#include "os/threads/semaphore.h"

#include <cerrno>
#include <ctime>

namespace takt::os {

bool Semaphore::acquire_within(std::chrono::nanoseconds timeout) {
  if (::sem_trywait(&semaphore_) == 0) return true;
  const auto until = std::chrono::steady_clock::now().time_since_epoch() + timeout;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(until);
  const timespec at{static_cast<time_t>(seconds.count()),
                    static_cast<long>(std::chrono::nanoseconds(until - seconds).count())};
  int failed;
  do failed = ::sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &at);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}

}  // namespace takt::os
