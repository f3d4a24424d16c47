// Maximum urgency first (MUF, Stewart and Khosla): critical requests, then the least laxity, then the fixed
// priority.
#pragma once

#include "server/queued/order/due_time.h"
#include "server/queued/order/fixed_rank.h"
#include "server/queued/order/request_order.h"

namespace takt::server {

class ByUrgency final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims& request) const noexcept override {
    const RequestTiming* const timing = request.timing();
    return {.first = timing && timing->critical ? 0 : 1,
            .second = latest_start(request),
            .third = fixed_rank(request)};
  }
};

}  // namespace takt::server
