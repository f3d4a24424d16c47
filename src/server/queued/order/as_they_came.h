// First come, first served.
#pragma once

#include "server/queued/order/request_order.h"

namespace takt::server {

class AsTheyCame final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims&) const noexcept override { return {}; }
  bool heeds_importance() const noexcept override { return false; }
};

}  // namespace takt::server
