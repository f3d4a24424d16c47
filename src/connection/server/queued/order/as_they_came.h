// First come, first served.
#pragma once

#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class AsTheyCame final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest&) const noexcept override { return {}; }
  bool heeds_importance() const noexcept override { return false; }
};

}  // namespace takt::connection
