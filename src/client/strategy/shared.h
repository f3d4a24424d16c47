// One connection per server for all threads that call it.
#pragma once

#include "client/strategy/per_server.h"
#include "client/strategy/shared_connection.h"

namespace takt::client {

// Few sockets, at the price of a lock per send and per wait. Among the waiting callers one, the leader,
// reads the socket and hands the others their replies; when it has its own, another takes the lead
// (paper 000, section 3.1: multiplexed connections).
class SharedMux final : public PerServer<SharedConnection> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override;
};

}  // namespace takt::client
