// Tells waiting threads that deferred requests are complete.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <utility>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::dynamic {

// A thread waits on this for the first of several requests.
struct Arrivals {
  os::PriorityMutex mutex;
  os::PriorityCondition changed;
};

// Completion of one request; set once, by the thread that makes the call. Any thread.
class RequestCompletion {
 public:
  // `arrivals` is also notified; may be null.
  explicit RequestCompletion(std::shared_ptr<Arrivals> arrivals) : arrivals_(std::move(arrivals)) {}

  bool is_set() const { return set_.load(std::memory_order_acquire); }
  void set() {
    set_.store(true, std::memory_order_release);
    notify(own_);
    if (arrivals_) notify(*arrivals_);
  }
  // The reply was taken, so that no other thread needs to wait for the request.
  void take() {
    taken_.store(true, std::memory_order_relaxed);
    if (arrivals_) notify(*arrivals_);
  }
  bool is_taken() const { return taken_.load(std::memory_order_relaxed); }
  void wait() {
    os::PriorityCondition::Lock lock(own_.mutex);
    own_.changed.wait(lock, [this] { return is_set(); });
  }

 private:
  // Takes the lock, so that no waiting thread is between its test of set_ and its sleep, or destroys this.
  static void notify(Arrivals& waiters) {
    std::lock_guard lock(waiters.mutex);
    waiters.changed.notify_all();
  }

  std::atomic<bool> set_{false}, taken_{false};
  Arrivals own_;
  const std::shared_ptr<Arrivals> arrivals_;
};

}  // namespace takt::dynamic
