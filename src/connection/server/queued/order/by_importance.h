// The most important first, as the client says.
#pragma once

#include "connection/server/queued/order/request_order.h"

namespace takt::connection {

class ByImportance final : public RequestOrder {
 public:
  Rank rank_of(const QueuedRequest&) const noexcept override { return {}; }
};

}  // namespace takt::connection
