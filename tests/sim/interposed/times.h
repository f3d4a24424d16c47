// The simulation's time, and what the program's clocks make of it.
#pragma once

#include <ctime>

#include "machine/faults.h"

namespace takt::sim {

// What a clock shows when a run begins: two that are never taken for each other.
constexpr Time start_of(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? std::chrono::seconds(1'700'000'000)
                                                                   : std::chrono::seconds(1'000);
}

constexpr Time duration_of(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// Of a moment on that clock.
constexpr Time time_of(clockid_t clock, const timespec& moment) {
  if (moment.tv_sec > 4'000'000'000) return never;
  return duration_of(moment) - start_of(clock);
}

constexpr timespec to_timespec(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

}  // namespace takt::sim
