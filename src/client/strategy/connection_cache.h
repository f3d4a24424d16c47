// The connections to one server that threads use in turn, each of them alone.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "client/strategy/exclusive_channel.h"
#include "os/threads/priority_mutex.h"
#include "reference/target.h"

namespace takt::client {

// As many connections as there have been calls at once, of which the one that was used last is used next. Any
// thread. When one fails, all do: the server that is behind them has closed or gone, and whoever calls next
// connects anew. Those that are idle close with the cache.
class ConnectionCache {
 public:
  ConnectionCache(Client& client, const reference::Route::Address& address);

  // One that nobody uses; null: there is none. One lock, no allocation.
  std::unique_ptr<ExclusiveChannel> take_idle();
  // For other calls, unless it or the cache is broken. One lock; allocates only when there have never been as
  // many at once.
  void give_back(std::unique_ptr<ExclusiveChannel> connection);
  // One more; null where the server cannot be reached by then, and the cache is broken. Blocks. For calls,
  // which keep the ORB.
  std::unique_ptr<ExclusiveChannel> connect(std::chrono::steady_clock::time_point deadline);
  std::unique_ptr<ExclusiveChannel> make(std::unique_ptr<transport::Stream> stream) const;

  void fail();
  bool broken() const { return broken_.load(std::memory_order_acquire); }
  // Of compressed messages, for all connections: a request tells the server, and may go by any.
  std::uint16_t expansion() const { return expansion_; }
  const transport::Endpoint& endpoint() const { return endpoint_; }

 private:
  Client& client_;
  const transport::Endpoint endpoint_;
  const transport::StreamOptions streams_;
  const giop::Messaging messaging_;
  const std::uint16_t expansion_;
  std::atomic<bool> broken_{false};
  os::PriorityMutex mutex_;
  std::vector<std::unique_ptr<ExclusiveChannel>> idle_;
};

}  // namespace takt::client
