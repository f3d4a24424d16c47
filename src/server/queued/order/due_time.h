// When a request has to be done, as a rank.
#pragma once

#include <cstdint>
#include <limits>

#include "server/queued/order/request_claims.h"

namespace takt::server {

// Of a request that need not be done by any time.
inline constexpr std::int64_t never_due = std::numeric_limits<std::int64_t>::max();

// In nanoseconds of the steady clock. What the client says of this request counts before what its operation's
// timing says of all.
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

// When its upcall has to begin, to be done then: the less, the less laxity. As laxities of requests that wait
// shrink alike, this orders them at any time.
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
