// A request's deadline, as a rank.
#pragma once

#include <cstdint>
#include <limits>

#include "server/queued/order/request_claims.h"

namespace takt::server {

// The rank of a request without a deadline.
inline constexpr std::int64_t never_due = std::numeric_limits<std::int64_t>::max();

// Deadline in nanoseconds of the steady clock. The request's own deadline takes precedence over that in its
// operation's timing.
inline std::int64_t due_time(const RequestClaims& request) noexcept {
  std::chrono::nanoseconds remaining = giop::WireQuality::no_deadline;
  if (const auto& quality = request.quality()) remaining = quality->remaining;
  if (remaining == giop::WireQuality::no_deadline && request.times().end != RequestTimes::never)
    return std::chrono::nanoseconds(request.times().end.time_since_epoch()).count();
  if (const RequestTiming* timing = request.timing();
      timing && remaining == giop::WireQuality::no_deadline && timing->deadline.count() > 0)
    remaining = timing->deadline;
  const std::int64_t arrived = std::chrono::nanoseconds(request.arrived_at().time_since_epoch()).count();
  std::int64_t due = 0;
  if (remaining == giop::WireQuality::no_deadline || __builtin_add_overflow(arrived, remaining.count(), &due))
    return never_due;
  return due;
}

// The latest time at which the upcall can begin and meet its deadline. It orders requests by laxity at any
// time, because the laxities of waiting requests shrink equally.
inline std::int64_t latest_start(const RequestClaims& request) noexcept {
  const std::int64_t due = due_time(request);
  const RequestTiming* const timing = request.timing();
  if (due == never_due || !timing) return due;
  std::int64_t start = 0;
  if (__builtin_sub_overflow(due, timing->execution.count(), &start))
    return std::numeric_limits<std::int64_t>::min();
  return start;
}

}  // namespace takt::server
