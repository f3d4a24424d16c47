// The highest priority first, which clients say.
#pragma once

#include "server/queued/order/request_order.h"

namespace takt::server {

class ByPriority final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims& request) const noexcept override {
    return {.first = -request.queue_priority()};
  }
};

}  // namespace takt::server
