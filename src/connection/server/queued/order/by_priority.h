// The highest priority first, which clients say.
#pragma once

#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByPriority final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest& request) const noexcept override {
    return {.first = -request.queue_priority()};
  }
};

}  // namespace takt::connection
