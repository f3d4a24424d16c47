// A pool of connections to one server, each used by one thread at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "client/strategy/exclusive_channel.h"
#include "client/strategy/kept_connection.h"
#include "reference/target.h"
#include "threads/locks/priority_mutex.h"

namespace takt::client {

// Has as many connections as there were concurrent calls; the most recently used one is used next. Any
// thread. When one connection fails, the whole pool fails, since the server has closed or crashed; the next
// caller reconnects. The destructor closes idle connections.
class ConnectionCache final : public KeptConnection {
 public:
  ConnectionCache(Client& client, const reference::Route::Address& address);

  // An idle connection; null if there is none. One lock, no allocation.
  std::unique_ptr<ExclusiveChannel> take_idle();
  // Returns a connection to the pool unless it or the pool is broken. One lock; allocates only when the pool
  // reaches a new maximum.
  void give_back(std::unique_ptr<ExclusiveChannel> connection);
  // Opens a further connection. Null if the server cannot be reached by the deadline. Then the pool is
  // broken, unless it has other connections and the deadline was shorter than a connection may take. Blocks.
  // Call only within a call, which keeps the ORB alive.
  std::unique_ptr<ExclusiveChannel> connect(std::chrono::steady_clock::time_point deadline);
  std::unique_ptr<ExclusiveChannel> make(std::unique_ptr<transport::Stream> stream);

  // Whether none of the connections is in use, and each may leave TCP. One lock.
  bool may_leave_tcp() const;
  // As far as an idle connection shows. One lock.
  bool is_replaceable() const override;

  void fail();
  // Whether the server has closed the idle connections. Asks the system about one.
  bool ended();
  bool broken() const override { return broken_.load(std::memory_order_acquire); }
  // Maximum expansion of compressed replies, the same for all connections: a request announces it but may use
  // any of them.
  std::uint16_t expansion() const { return expansion_; }
  const transport::Endpoint& endpoint() const { return address_.endpoint; }

 private:
  bool has_connections() const;

  Client& client_;
  const reference::Route::Address address_;
  const std::uint16_t expansion_;
  std::atomic<bool> broken_{false};
  mutable os::PriorityMutex mutex_;
  std::vector<std::unique_ptr<ExclusiveChannel>> idle_;
  std::size_t open_ = 0;  // connections that are idle or in use
};

}  // namespace takt::client
