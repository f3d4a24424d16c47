// Requests that wait for a thread, and the threads that wait for requests.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "connection/server/pool_threads.h"
#include "connection/server/queued_request.h"
#include "os/priority_mutex.h"
#include "os/semaphore.h"

namespace takt::connection {

// First come, first served. The memory of requests that have been served is used for others. Any thread.
class RequestQueue {
 public:
  explicit RequestQueue(const BufferBounds& bounds);

  // A thread will come to pop(), or will not any more. It counts as idle from then on, except while it has
  // what pop() gave it.
  void thread_comes() { idle_.fetch_add(1); }
  void thread_goes() { idle_.fetch_sub(1); }

  // One to fill in. Allocates while there have never been so many.
  std::unique_ptr<QueuedRequest> blank();
  // Null: a thread will take it. Otherwise the bounds leave no room for it, and it comes back.
  std::unique_ptr<QueuedRequest> push(std::unique_ptr<QueuedRequest> request);
  // Waits so long at most, and gives back the one that was served before, if there is one. Null: nothing
  // came.
  std::unique_ptr<QueuedRequest> pop(std::unique_ptr<QueuedRequest> served, std::chrono::nanoseconds timeout);
  // Every pop() returns at once from now on, with what is left.
  void wake_for_good(unsigned threads);

  // A further request would wait.
  bool all_busy() const;
  bool empty() const;

 private:
  bool has_room(std::size_t octets) const;

  const BufferBounds bounds_;
  os::Semaphore ready_;
  std::atomic<int> idle_{0};  // threads
  std::atomic<bool> awake_{false};
  mutable os::PriorityMutex mutex_;
  std::vector<std::unique_ptr<QueuedRequest>> ring_, blanks_;
  std::size_t first_ = 0;
  std::size_t count_ = 0;
  std::size_t octets_ = 0;
};

}  // namespace takt::connection
