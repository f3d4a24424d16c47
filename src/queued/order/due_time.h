// A request's deadline, as a rank.
#pragma once

#include <cstdint>
#include <limits>

#include <takt/server/request_order.h>

namespace takt::server {

// The rank of a request without a deadline.
inline constexpr std::int64_t never_due = std::numeric_limits<std::int64_t>::max();

// Deadline in nanoseconds of the steady clock.
inline std::int64_t due_time(const WaitingRequest& request) noexcept {
  static_assert(Quality::no_deadline.time_since_epoch() == std::chrono::nanoseconds(never_due));
  return std::chrono::nanoseconds(request.deadline.time_since_epoch()).count();
}

// The latest time at which the upcall can begin and meet its deadline. It orders requests by laxity at any
// time, because the laxities of waiting requests shrink equally.
inline std::int64_t latest_start(const WaitingRequest& request) noexcept {
  const std::int64_t due = due_time(request);
  if (due == never_due || !request.timing) return due;
  std::int64_t start = 0;
  if (__builtin_sub_overflow(due, request.timing->execution.count(), &start))
    return std::numeric_limits<std::int64_t>::min();
  return start;
}

}  // namespace takt::server
