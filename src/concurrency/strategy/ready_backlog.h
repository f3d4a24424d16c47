// Ready connections for which a pool has no free thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>

#include "concurrency/strategy/pool_threads.h"
#include "os/poll/shared_poll.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// They are taken out of the poll so that they can be counted, and are served in order of arrival. Any thread.
class ReadyBacklog {
 public:
  using Ready = os::SharedPoll::Ready;

  explicit ReadyBacklog(std::shared_ptr<const BufferBounds> bounds) : bounds_(std::move(bounds)) {}

  std::size_t most() const { return bounds_->requests; }
  bool empty() const { return count_.load() == 0; }
  // False: the limit is reached, or there is no memory.
  bool push(const Ready& ready);
  std::optional<Ready> pop();

 private:
  const std::shared_ptr<const BufferBounds> bounds_;
  std::atomic<std::size_t> count_{0};  // size of waiting_; written with the mutex
  os::PriorityMutex mutex_;
  std::deque<Ready> waiting_;
};

}  // namespace takt::server
