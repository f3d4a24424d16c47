// The least laxity first (MLF). Laxity is the time left before the deadline if the request began now.
#pragma once

#include <takt/server/request_order.h>

#include "queued/order/due_time.h"

namespace takt::server {

class ByLaxity final : public RequestOrder {
 public:
  std::string_view name() const override { return "laxity"; }
  Rank rank_of(const WaitingRequest& request) const noexcept override {
    return {.first = latest_start(request)};
  }
};

}  // namespace takt::server
