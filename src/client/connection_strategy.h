// The client's connection strategy: which connection a call uses, and which thread drives its socket.
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

// The contract of every strategy:
//  1. open() gives the calling thread its own channel to the address. The channel may share a connection
//     with other threads that gave the same key. Blocks until the deadline at most.
//  2. Two channels of one connection never use the same request id.
//  3. A channel whose connection has failed is broken() and fails its exchanges. It is never repaired.
//  4. Destroying a channel releases its connection; the last user closes it. No reply is then outstanding,
//     and a client need not announce the close (CORBA 3.0.3, 15.5.1).
//  5. Replies may arrive in any order. Each reaches only the exchange that it answers; replies to timed-out
//     exchanges are dropped.
//  6. An exchange whose time is over before any of it was sent reports so, and never sends the request.
//  7. Once connected and in steady use, an exchange does not allocate.
class ConnectionStrategy {
 public:
  virtual ~ConnectionStrategy() = default;
  virtual std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) = 0;
  // Whether open() may return a channel on a connection that exists. A forked child must not get one of its
  // parent's.
  virtual bool may_share() const { return true; }
  // Opens a channel by a local road that was prepared (Client::take_prepared), or that another thread has
  // taken for the connection, in place of a channel that may_leave_tcp(). Null: that one stays. Does not
  // wait for the server; it may start a thread, or join that of a connection that has ended.
  virtual std::unique_ptr<ClientChannel> leave_tcp(Client&, const reference::Route::Address&,
                                                   const reference::ConnectionKey&) {
    return nullptr;
  }
};

}  // namespace takt::client
