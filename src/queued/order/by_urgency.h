// Maximum urgency first (MUF, Stewart and Khosla): critical requests, then the least laxity, then the fixed
// priority.
#pragma once

#include <takt/server/request_order.h>

#include "queued/order/due_time.h"
#include "queued/order/fixed_rank.h"

namespace takt::server {

class ByUrgency final : public RequestOrder {
 public:
  std::string_view name() const override { return "urgency"; }
  Rank rank_of(const WaitingRequest& request) const noexcept override {
    const RequestTiming* const timing = request.timing;
    return {.first = timing && timing->critical ? 0 : 1,
            .second = latest_start(request),
            .third = fixed_rank(request)};
  }
};

}  // namespace takt::server
