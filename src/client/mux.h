// Which connection a call uses, and which thread drives its socket.
#pragma once

#include <chrono>
#include <expected>
#include <memory>
#include <string>

#include <takt/transport/connector.h>

#include "client/channel/client_channel.h"
#include "reference/target.h"

namespace takt::client {

class Client;

// The contract of every answer:
//  1. open() gives the calling thread a channel of its own to the address, new or standing on a connection
//     that other threads use too, if they have given the same key for it. It blocks until the deadline at
//     most, for the connection.
//  2. Channels of one thread never share a request id with another's on the same connection.
//  3. A channel whose connection has failed is broken() and fails its exchanges; nobody repairs it.
//  4. Destroying the channel releases the connection; the last of those that may use it closes it. No reply
//     is owed then, and a client need not announce that it goes (CORBA 3.0.3, 15.5.1).
//  5. Replies may come in any order; each reaches the exchange that it answers and no other. Those of
//     exchanges that are over, because their time was, are dropped.
//  6. An exchange whose time is over before any of it has left says so, and the request never leaves.
//  7. Once connected and in steady use, an exchange allocates nothing.
class Mux {
 public:
  virtual ~Mux() = default;
  virtual std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace takt::client
