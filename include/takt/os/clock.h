// The clock of every deadline and timer.
#pragma once

#include <chrono>

namespace takt::os {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

// "Never", for deadlines. Arithmetic on it overflows: ask remaining().
inline constexpr TimePoint no_deadline = TimePoint::max();

// What is left until `deadline`: zero when it has passed, nanoseconds::max() for no_deadline.
constexpr std::chrono::nanoseconds remaining(TimePoint deadline, TimePoint now) {
  if (deadline == no_deadline) return std::chrono::nanoseconds::max();
  return deadline > now ? std::chrono::nanoseconds(deadline - now) : std::chrono::nanoseconds::zero();
}

}  // namespace takt::os
