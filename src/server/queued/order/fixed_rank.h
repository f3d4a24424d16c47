// What a schedule says of an operation once and for all, as a rank.
#pragma once

#include <cstdint>
#include <limits>

#include "server/queued/order/request_claims.h"

namespace takt::server {

// The higher priority first, then the lower sub-priority.
inline std::int64_t fixed_rank(const RequestClaims& request) noexcept {
  const RequestTiming* const timing = request.timing();
  if (!timing) return std::numeric_limits<std::int64_t>::max();
  return -(std::int64_t{timing->priority} << 32) + timing->sub_priority;
}

}  // namespace takt::server
