// By priority and sub-priority in the schedule (rate-monotonic, RMS): the highest priority first, then the
// lowest sub-priority.
#pragma once

#include "server/queued/order/fixed_rank.h"
#include "server/queued/order/request_order.h"

namespace takt::server {

class ByFixedPriority final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims& request) const noexcept override {
    return {.first = fixed_rank(request)};
  }
};

}  // namespace takt::server
