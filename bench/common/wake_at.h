// Sleeps until a moment by a timer that is set to it. std::this_thread::sleep_until sets one to what is left
// by its own look at the clock: who is held up between that look and the timer wakes late by as much, and so
// behind others whose moment is the same.
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
