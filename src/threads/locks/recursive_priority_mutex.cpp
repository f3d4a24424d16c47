#include "threads/locks/recursive_priority_mutex.h"

namespace takt::os {

namespace {
thread_local constinit char mark = 0;
}  // namespace

// Only a thread itself stores the address of its mark, so a stale value never equals it.
bool RecursivePriorityMutex::is_mine() const { return owner_.load(std::memory_order_relaxed) == &mark; }

void RecursivePriorityMutex::lock() {
  if (!is_mine()) {
    mutex_.lock();
    owner_.store(&mark, std::memory_order_relaxed);
  }
  ++depth_;
}

bool RecursivePriorityMutex::try_lock() {
  if (!is_mine()) {
    if (!mutex_.try_lock()) return false;
    owner_.store(&mark, std::memory_order_relaxed);
  }
  ++depth_;
  return true;
}

void RecursivePriorityMutex::unlock() {
  if (--depth_ != 0) return;
  owner_.store(nullptr, std::memory_order_relaxed);
  mutex_.unlock();
}

}  // namespace takt::os
