// Sleeps until a point in time by an absolute timer. std::this_thread::sleep_until sets a relative timer
// after reading the clock: a thread that is preempted in between wakes late by as much, and then runs after
// other threads due at the same time.
#pragma once

#include <time.h>

#include <cerrno>
#include <chrono>

namespace bench {

inline void wake_at(std::chrono::steady_clock::time_point moment) {
  const auto since = std::chrono::duration_cast<std::chrono::nanoseconds>(moment.time_since_epoch()).count();
  const timespec at{.tv_sec = static_cast<time_t>(since / 1'000'000'000),
                    .tv_nsec = static_cast<long>(since % 1'000'000'000)};
  while (::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {
  }
}

}  // namespace bench
