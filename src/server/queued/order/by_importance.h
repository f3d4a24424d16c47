// The most important first. Clients set the importance.
#pragma once

#include "server/queued/order/request_order.h"

namespace takt::server {

class ByImportance final : public RequestOrder {
 public:
  Rank rank_of(const RequestClaims&) const noexcept override { return {}; }
};

}  // namespace takt::server
