// One connection per server, shared by all calling threads.
#pragma once

#include "client/strategy/per_server.h"
#include "client/strategy/shared_connection.h"

namespace takt::client {

// Few sockets, at the cost of one lock per send and one per wait. One of the waiting callers, the leader,
// reads the socket and delivers the replies. When it has its own, another caller takes over ([Schmidt 2001],
// section 3.1: multiplexed connections).
class SharedStrategy final : public PerServer<SharedConnection> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override;
};

}  // namespace takt::client
