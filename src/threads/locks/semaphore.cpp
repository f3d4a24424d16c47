#include "threads/locks/semaphore.h"

#include <algorithm>
#include <cerrno>
#include <ctime>

namespace takt::os {

bool Semaphore::acquire_within(std::chrono::nanoseconds timeout) {
  if (::sem_trywait(&semaphore_) == 0) return true;
  return acquire_until(std::chrono::steady_clock::now() + timeout);
}

#if defined(__SANITIZE_THREAD__)
// GCC 12's ThreadSanitizer does not see sem_clockwait().
bool Semaphore::acquire_until(std::chrono::steady_clock::time_point at) {
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
  while (::sem_trywait(&semaphore_) != 0) {
    if (std::chrono::steady_clock::now() >= at) return false;
    ::nanosleep(&pause, nullptr);
  }
  return true;
}
#else
bool Semaphore::acquire_until(std::chrono::steady_clock::time_point at) {
  const auto until = std::max(at.time_since_epoch(), std::chrono::steady_clock::duration::zero());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(until);
  const timespec time{static_cast<time_t>(seconds.count()),
                      static_cast<long>(std::chrono::nanoseconds(until - seconds).count())};
  int failed;
  do failed = ::sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &time);
  while (failed != 0 && errno == EINTR);
  return failed == 0;
}
#endif

}  // namespace takt::os
