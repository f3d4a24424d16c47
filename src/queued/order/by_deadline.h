// The earliest deadline first (EDF).
#pragma once

#include <takt/server/request_order.h>

#include "queued/order/due_time.h"

namespace takt::server {

class ByDeadline final : public RequestOrder {
 public:
  std::string_view name() const override { return "deadline"; }
  Rank rank_of(const WaitingRequest& request) const noexcept override { return {.first = due_time(request)}; }
};

}  // namespace takt::server
