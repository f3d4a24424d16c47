// Converts times of RT_Scheduler, whose unit is 100 ns.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulability/model/types.h"

namespace takt::scheduling {

inline constexpr std::int64_t time_unit_ns = 100;

// A time over longest_time stays too large, so that the repository refuses it.
inline Time time_of_units(std::uint64_t units) {
  const auto most = static_cast<std::uint64_t>(longest_time.count() / time_unit_ns) + 1;
  return Time(static_cast<std::int64_t>(std::min(units, most)) * time_unit_ns);
}
// Rounded up, so that a time is never less than declared.
inline std::uint64_t units_of(Time time) {
  return static_cast<std::uint64_t>((time.count() + time_unit_ns - 1) / time_unit_ns);
}

}  // namespace takt::scheduling
