// Times of the OMG as times of clocks.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "events/delivery/task.h"

namespace takt::notification {

using events::Clock;
// One moment, by both clocks.
struct Moment {
  Clock::time_point now;
  std::chrono::system_clock::time_point wall;
  static Moment current() { return {Clock::now(), std::chrono::system_clock::now()}; }
};

using Units = std::uint64_t;  // each 100 ns, as in TimeBase::TimeT

// The start of 1970 in units since 15 October 1582.
inline constexpr Units unix_epoch = 0x01B21DD213814000;
// Longer durations count as this one.
inline constexpr std::chrono::hours longest_time{24 * 365 * 100};

inline Clock::duration duration_of(Units units) {
  constexpr Units most = std::chrono::nanoseconds(longest_time).count() / 100;
  return std::chrono::nanoseconds(std::min(units, most) * 100);
}

// The moment of the steady clock at a time of the calendar, by what both clocks show now.
inline Clock::time_point moment_of(Units time, const Moment& at) {
  const auto since_1970 =
      std::chrono::duration_cast<std::chrono::nanoseconds>(at.wall.time_since_epoch()).count();
  const Units wall_units = unix_epoch + static_cast<Units>(since_1970 / 100);
  return time >= wall_units ? at.now + duration_of(time - wall_units)
                            : at.now - duration_of(wall_units - time);
}

}  // namespace takt::notification
