// The earliest deadline first (EDF).
#pragma once

#include "connection/server/queued/order/due_time.h"
#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByDeadline final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest& request) const noexcept override { return {.first = due_time(request)}; }
};

}  // namespace takt::connection
