// The least laxity first (MLF). Laxity is the time left before the deadline if the request began now.
#pragma once

#include "server/queued/order/due_time.h"
#include "server/queued/order/request_order.h"

namespace takt::server {

class ByLaxity final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims& request) const noexcept override {
    return {.first = latest_start(request)};
  }
};

}  // namespace takt::server
