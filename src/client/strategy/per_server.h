// Connections shared by several threads, or by all callers of a reference.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "client/channel/probed_channel.h"
#include "client/client.h"
#include "client/connection_strategy.h"
#include "client/strategy/kept_connection.h"
#include "client/strategy/shared_channel.h"
#include "threads/locks/priority_mutex.h"

namespace takt::client {

// One connection per key, as long as some thread has a channel on it. Connecting can be slow, so it happens
// outside the lock; if two threads connect at once, one connection is kept.
class SharedConnections : public ConnectionStrategy {
 public:
  std::expected<std::unique_ptr<ClientChannel>, transport::ConnectError> open(
      Client& client, const reference::Route::Address& address, const reference::ConnectionKey& key,
      std::chrono::steady_clock::time_point deadline) final;
  // The first caller's connection serves all; the others come when they bind again.
  std::unique_ptr<ClientChannel> leave_tcp(Client& client, const reference::Route::Address& address,
                                           const reference::ConnectionKey& key) final;

 protected:
  using Kept = std::shared_ptr<KeptConnection>;

  virtual std::expected<Kept, transport::ConnectError> begin(Client& client,
                                                             const reference::Route::Address& address,
                                                             std::unique_ptr<transport::Stream> stream) = 0;

 private:
  virtual std::unique_ptr<ClientChannel> channel(Client& client, const reference::Route::Address& address,
                                                 Kept connection) = 0;
  // The connection is about to be replaced. False: it is in use, so it stays. By default, the threads that
  // have channels on it keep it until they leave it themselves.
  virtual bool retire(const Kept&) { return true; }
  // Null if it is broken; then the caller destroys it, which may wait, by `broken` without the lock.
  Kept find(const reference::ConnectionKey& key, Kept& broken);

  os::PriorityMutex mutex_;
  std::map<reference::ConnectionKey, std::weak_ptr<KeptConnection>> connections_;
};

// Knows the class of the connections: begin() must return a Connection.
template <class Connection, class Channel = SharedChannel<Connection>>
class PerServer : public SharedConnections {
  std::unique_ptr<ClientChannel> channel(Client& client, const reference::Route::Address& address,
                                         Kept connection) final {
    return make_channel<Channel>(client.steps, std::static_pointer_cast<Connection>(std::move(connection)),
                                 client, address.messaging);
  }
};

}  // namespace takt::client
