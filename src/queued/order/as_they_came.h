// First come, first served.
#pragma once

#include <takt/server/request_order.h>

namespace takt::server {

class AsTheyCame final : public RequestOrder {
 public:
  std::string_view name() const override { return "temporal"; }
  Rank rank_of(const WaitingRequest&) const noexcept override { return {}; }
  bool heeds_importance() const noexcept override { return false; }
};

}  // namespace takt::server
