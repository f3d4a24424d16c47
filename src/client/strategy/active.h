// One connection per server for all threads that call it, with a thread that does its input and output.
#pragma once

#include "client/strategy/active_connection.h"
#include "client/strategy/per_server.h"

namespace takt::client {

// No caller ever waits for the socket, nor for another caller that writes to it: requests go through a queue
// (paper 000, section 3.1: multiplexed connections, the active variant). The price of a call is a copy of its
// request and two changes of threads. The thread is the connection's, not the ORB's: between two servers, or
// two bands of priorities, nothing is then shared by which the slower or less urgent one could hold up the
// other. It runs at the highest priority that its connection serves; where that is all of them, as the thread
// that opened the connection.
class ActiveMux final : public PerServer<ActiveConnection> {
  std::expected<Kept, transport::ConnectError> begin(Client& client, const reference::Route::Address& address,
                                                     std::unique_ptr<transport::Stream> stream) override;
};

}  // namespace takt::client
