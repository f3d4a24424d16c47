// One connection per server, shared by all calling threads, with an I/O thread of its own.
#pragma once

#include "client/strategy/active_connection.h"
#include "client/strategy/per_server.h"

namespace takt::client {

// Callers never wait for the socket or for each other's writes: requests go through a queue ([Schmidt 2001],
// section 3.1: multiplexed connections, the active variant). A call costs one copy of its request and two
// thread switches. Each connection has its own thread, so a slow server or a less urgent priority band cannot
// delay another. The thread runs at the highest priority that its connection serves; if that is all
// priorities, at the priority of the thread that opened it.
class ActiveStrategy final : public PerServer<ActiveConnection> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override;
};

}  // namespace takt::client
