// How many jobs arrive in a time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "schedulability/model/checked.h"

namespace takt::scheduling {

// The most jobs of a load that arrive in `time`; with bursts, from the begin of one (Tindell, Burns and
// Wellings 1994). No interval as long as the period has more than `burst`.
constexpr std::int64_t jobs_in(std::int64_t period, std::int64_t burst, std::int64_t distance,
                               std::int64_t time) {
  if (burst == 1) return divide_up(time, period);
  const std::int64_t rest = time % period;
  const std::int64_t begun = rest == 0       ? 0
                             : distance == 0 ? burst
                                             : std::min(burst, divide_up(rest, distance));
  return add(multiply(time / period, burst), begun);
}

// The shortest time from the first job of a burst, number 0, to job number `job`.
constexpr std::int64_t begin_of(std::int64_t period, std::int64_t burst, std::int64_t distance,
                                std::int64_t job) {
  return add(multiply(job / burst, period), multiply(job % burst, distance));
}

}  // namespace takt::scheduling
