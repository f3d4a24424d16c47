// The most important first. Clients set the importance.
#pragma once

#include <takt/server/request_order.h>

namespace takt::server {

class ByImportance final : public RequestOrder {
 public:
  std::string_view name() const override { return "importance"; }
  Rank rank_of(const WaitingRequest&) const noexcept override { return {}; }
};

}  // namespace takt::server
