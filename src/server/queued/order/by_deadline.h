// The earliest deadline first (EDF).
#pragma once

#include "server/queued/order/due_time.h"
#include "server/queued/order/request_order.h"

namespace takt::server {

class ByDeadline final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims& request) const noexcept override { return {.first = due_time(request)}; }
};

}  // namespace takt::server
