// By priority and sub-priority in the schedule (rate-monotonic, RMS): the highest priority first, then the
// lowest sub-priority.
#pragma once

#include <takt/server/request_order.h>

#include "queued/order/fixed_rank.h"

namespace takt::server {

class ByFixedPriority final : public RequestOrder {
 public:
  std::string_view name() const override { return "fixed"; }
  Rank rank_of(const WaitingRequest& request) const noexcept override {
    return {.first = fixed_rank(request)};
  }
};

}  // namespace takt::server
