// The least laxity first (MLF): the time that would be left if it began at once.
#pragma once

#include "connection/server/queued/order/due_time.h"
#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByLaxity final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest& request) const noexcept override {
    return {.first = latest_start(request)};
  }
};

}  // namespace takt::connection
