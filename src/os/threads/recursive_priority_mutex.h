// A priority inheritance mutex that its owner may lock again.
#pragma once

#include <atomic>

#include "os/threads/priority_mutex.h"

namespace takt::os {

// As PriorityMutex: the owner inherits the priority of the most urgent waiter, and unlock() hands the mutex
// to that one, the first to come among equals. The owner counts its locks. Two threads that wait for each
// other wait for good, as with any mutex. Fits std::lock_guard and std::unique_lock.
class RecursivePriorityMutex {
 public:
  void lock();
  bool try_lock();
  void unlock();

 private:
  bool is_mine() const;

  PriorityMutex mutex_;
  std::atomic<const void*> owner_{nullptr};  // the address of a variable of the owner's
  unsigned depth_ = 0;                       // the owner's
};

}  // namespace takt::os
