// The highest priority first. Clients set the priority.
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
