#include "client/strategy/connection_cache.h"

#include <algorithm>
#include <cerrno>
#include <mutex>
#include <utility>

namespace takt::client {

ConnectionCache::ConnectionCache(Client& client, const reference::Route::Address& address)
    : client_(client), address_(address), expansion_(client.protocol.limits->expansion) {}

std::unique_ptr<ExclusiveChannel> ConnectionCache::take_idle() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) return nullptr;
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void ConnectionCache::give_back(std::unique_ptr<ExclusiveChannel> connection) {
  const bool usable = !connection->broken();
  const std::lock_guard lock(mutex_);
  if (usable && !broken())
    idle_.push_back(std::move(connection));
  else
    --open_;
}

std::unique_ptr<ExclusiveChannel> ConnectionCache::connect(std::chrono::steady_clock::time_point deadline) {
  if (broken()) return nullptr;
  const auto within = std::chrono::steady_clock::now() + client_.options.connect_timeout.get();
  auto stream = client_.connect(address_, std::min(deadline, within));
  if (stream) return make(std::move(*stream));
  // A call that has less time than a connection says little about the server; but the next call tries the
  // other addresses of the reference only if this pool is broken.
  if (deadline >= within || stream.error().error != ETIMEDOUT || !has_connections()) fail();
  return nullptr;
}

bool ConnectionCache::has_connections() const {
  const std::lock_guard lock(mutex_);
  return open_ != 0;
}

std::unique_ptr<ExclusiveChannel> ConnectionCache::make(std::unique_ptr<transport::Stream> stream) {
  auto made = std::make_unique<ExclusiveChannel>(std::move(stream), client_, address_.messaging,
                                                 client_.channels(), expansion_);
  const std::lock_guard lock(mutex_);
  ++open_;
  return made;
}

bool ConnectionCache::may_leave_tcp() const {
  const std::lock_guard lock(mutex_);
  return !idle_.empty() && idle_.size() == open_ &&
         std::ranges::all_of(idle_, [](const auto& connection) { return connection->may_leave_tcp(); });
}

bool ConnectionCache::is_replaceable() const {
  const std::lock_guard lock(mutex_);
  return !idle_.empty() && idle_.back()->is_replaceable();
}

bool ConnectionCache::ended() {
  auto connection = take_idle();
  if (!connection) return broken();
  if (connection->ended()) fail();
  give_back(std::move(connection));
  return broken();
}

void ConnectionCache::fail() {
  std::vector<std::unique_ptr<ExclusiveChannel>> closed;  // destroyed after the unlock
  const std::lock_guard lock(mutex_);
  broken_.store(true, std::memory_order_release);
  closed.swap(idle_);
}

}  // namespace takt::client
