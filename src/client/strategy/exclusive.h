// One connection per calling thread and server, used by no other thread.
#pragma once

#include "client/connection_strategy.h"

namespace takt::client {

// The thread writes its request and reads its reply on its own socket. There is no lock, no queue and no
// thread switch, and no other call's reply is ahead of its own ([Schmidt 2001], section 3.1).
class ExclusiveStrategy final : public ConnectionStrategy {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) override;
  bool may_share() const override { return false; }
  std::unique_ptr<ClientChannel> leave_tcp(Client& client, const reference::Route::Address& address,
                                           const reference::ConnectionKey& key) override;
};

}  // namespace takt::client
