// As the table of a schedule says, where rates decide (RMS): the highest priority, then sub-priority, first.
#pragma once

#include "connection/server/queued/order/fixed_rank.h"
#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByFixedPriority final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest& request) const noexcept override {
    return {.first = fixed_rank(request)};
  }
};

}  // namespace takt::connection
