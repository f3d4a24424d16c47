// The number of answers that a server still owes after their upcalls have returned.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// Any thread.
class DueAnswers {
 public:
  void add() { count_.fetch_add(1, std::memory_order_relaxed); }
  void remove(std::uint32_t count) {
    if (count == 0 || count_.fetch_sub(count) != count) return;
    std::lock_guard lock(mutex_);
    none_.notify_all();
  }
  std::uint32_t count() const { return count_.load(std::memory_order_relaxed); }
  // Blocks until none is due, or the deadline.
  void wait_until(std::chrono::steady_clock::time_point deadline) {
    if (count_.load() == 0) return;
    std::unique_lock lock(mutex_);
    none_.wait_until(lock, deadline, [this] { return count_.load() == 0; });
  }

 private:
  std::atomic<std::uint32_t> count_{0};
  os::PriorityMutex mutex_;
  os::PriorityCondition none_;
};

}  // namespace takt::server
