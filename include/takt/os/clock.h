// The clock of all deadlines and timers.
#pragma once

#include <chrono>

namespace takt::os {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

// "Never", as a deadline. Arithmetic on it overflows; use remaining().
inline constexpr TimePoint no_deadline = TimePoint::max();

// Time left until `deadline`: zero once it has passed, nanoseconds::max() for no_deadline.
constexpr std::chrono::nanoseconds remaining(TimePoint deadline, TimePoint now) {
  if (deadline == no_deadline) return std::chrono::nanoseconds::max();
  return deadline > now ? std::chrono::nanoseconds(deadline - now) : std::chrono::nanoseconds::zero();
}

}  // namespace takt::os
