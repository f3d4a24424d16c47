// The highest priority first. Clients set the priority.
#pragma once

#include <takt/server/request_order.h>

namespace takt::server {

class ByPriority final : public RequestOrder {
 public:
  std::string_view name() const override { return "priority"; }
  Rank rank_of(const WaitingRequest& request) const noexcept override { return {.first = -request.priority}; }
};

}  // namespace takt::server
