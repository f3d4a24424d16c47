// An operation's fixed priority in the schedule, as a rank.
#pragma once

#include <cstdint>
#include <limits>

#include <takt/server/request_order.h>

namespace takt::server {

// The higher priority first, then the lower sub-priority. Operations outside the schedule are last.
inline std::int64_t fixed_rank(const WaitingRequest& request) noexcept {
  const RequestTiming* const timing = request.timing;
  if (!timing) return std::numeric_limits<std::int64_t>::max();
  return -(std::int64_t{timing->priority} << 32) + timing->sub_priority;
}

}  // namespace takt::server
