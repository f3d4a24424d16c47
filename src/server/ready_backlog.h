// Connections with something to serve for which a pool has no thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

#include "os/poll/shared_poll.h"
#include "os/threads/priority_mutex.h"
#include "server/pool_threads.h"

namespace takt::server {

// They were taken out of the poll, to be counted, and are served in the order they came. Any thread.
class ReadyBacklog {
 public:
  using Ready = os::SharedPoll::Ready;

  explicit ReadyBacklog(std::shared_ptr<const BufferBounds> bounds) : bounds_(std::move(bounds)) {}

  std::size_t most() const { return bounds_->requests; }
  bool empty() const { return count_.load() == 0; }
  // False: as many wait as may, or there is no memory.
  bool push(const Ready& ready);
  std::optional<Ready> pop();

 private:
  const std::shared_ptr<const BufferBounds> bounds_;
  std::atomic<std::size_t> count_{0};  // of what waits; written with the mutex
  os::PriorityMutex mutex_;
  std::deque<Ready> waiting_;
};

}  // namespace takt::server
