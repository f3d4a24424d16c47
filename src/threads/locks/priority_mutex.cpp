#include "threads/locks/priority_mutex.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <system_error>

namespace takt::os {

PriorityMutex::PriorityMutex() {
  pthread_mutexattr_t attributes;
  ::pthread_mutexattr_init(&attributes);
  ::pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
  const int error = ::pthread_mutex_init(&mutex_, &attributes);
  ::pthread_mutexattr_destroy(&attributes);
  if (error != 0) throw std::system_error(error, std::generic_category(), "priority inheritance mutex");
}

PriorityMutex::~PriorityMutex() { ::pthread_mutex_destroy(&mutex_); }

void PriorityMutex::lock() {
  if (const int error = ::pthread_mutex_lock(&mutex_))
    throw std::system_error(error, std::generic_category(), "priority inheritance mutex");
}

bool PriorityMutex::try_lock() { return ::pthread_mutex_trylock(&mutex_) == 0; }

timespec PriorityMutex::to_system(std::chrono::steady_clock::time_point time) {
  const auto since = std::max(time.time_since_epoch(), std::chrono::steady_clock::duration::zero());
  const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
  return {static_cast<time_t>(seconds.count()),
          static_cast<long>(std::chrono::nanoseconds(since - seconds).count())};
}

#if defined(__SANITIZE_THREAD__)
// GCC 12's ThreadSanitizer does not see pthread_mutex_clocklock().
bool PriorityMutex::try_lock_until(std::chrono::steady_clock::time_point deadline) {
  constexpr timespec pause{.tv_sec = 0, .tv_nsec = 100'000};
  while (!try_lock()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    ::nanosleep(&pause, nullptr);
  }
  return true;
}
#else
bool PriorityMutex::try_lock_until(std::chrono::steady_clock::time_point deadline) {
  const timespec until = to_system(deadline);
  const int error = ::pthread_mutex_clocklock(&mutex_, CLOCK_MONOTONIC, &until);
  if (error == 0 || error == ETIMEDOUT) return error == 0;
  // Kernels before 5.14 know only the clock of the day for mutexes that inherit.
  timespec day{};
  ::clock_gettime(CLOCK_REALTIME, &day);
  const auto wait = std::clamp<std::chrono::steady_clock::duration>(
      deadline - std::chrono::steady_clock::now(), {}, std::chrono::hours(24 * 365));
  const auto then = std::chrono::seconds(day.tv_sec) + std::chrono::nanoseconds(day.tv_nsec) + wait;
  const timespec by_day = to_system(std::chrono::steady_clock::time_point(then));
  return ::pthread_mutex_clocklock(&mutex_, CLOCK_REALTIME, &by_day) == 0;
}
#endif

void PriorityMutex::unlock() { ::pthread_mutex_unlock(&mutex_); }

}  // namespace takt::os
