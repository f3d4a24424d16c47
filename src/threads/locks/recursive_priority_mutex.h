// A recursive mutex with priority inheritance.
#pragma once

#include <atomic>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

// Inheritance and hand-over as in PriorityMutex. The owner counts its locks. Two threads that wait for each
// other deadlock, as with any mutex. Works with std::lock_guard and std::unique_lock.
class RecursivePriorityMutex {
 public:
  void lock();
  bool try_lock();
  void unlock();

 private:
  bool is_mine() const;

  PriorityMutex mutex_;
  std::atomic<const void*> owner_{nullptr};  // address of a thread-local variable of the owner
  unsigned depth_ = 0;                       // only used by the owner
};

}  // namespace takt::os
