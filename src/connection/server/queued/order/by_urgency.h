// The maximum urgency first (MUF, Stewart and Khosla): critical ones, then the least laxity, then the table.
#pragma once

#include "connection/server/queued/order/due_time.h"
#include "connection/server/queued/order/fixed_rank.h"
#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByUrgency final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest& request) const noexcept override {
    const RequestTiming* const timing = request.timing();
    return {.first = timing && timing->critical ? 0 : 1,
            .second = latest_start(request),
            .third = fixed_rank(request)};
  }
};

}  // namespace takt::connection
