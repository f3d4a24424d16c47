// The simulated time, and the program's clocks derived from it.
#pragma once

#include <ctime>

#include "machine/faults.h"

namespace takt::sim {

// The reading of a clock at the start of a run: far apart, so that clocks cannot be mistaken for each other.
constexpr Time start_of(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ? std::chrono::seconds(1'700'000'000)
                                                                   : std::chrono::seconds(1'000);
}

constexpr Time duration_of(const timespec& time) {
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

// The simulated time for a reading of the clock.
constexpr Time time_of(clockid_t clock, const timespec& moment) {
  if (moment.tv_sec > 4'000'000'000) return never;
  return duration_of(moment) - start_of(clock);
}

constexpr timespec to_timespec(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  return {static_cast<time_t>(seconds.count()), static_cast<long>((time - seconds).count())};
}

}  // namespace takt::sim
