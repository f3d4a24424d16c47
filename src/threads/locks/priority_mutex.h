// A mutex with priority inheritance: its owner runs at the priority of the most urgent waiter.
#pragma once

#include <pthread.h>

#include <chrono>
#include <ctime>

namespace takt::os {

// Priority inheritance (PTHREAD_PRIO_INHERIT) bounds how long a thread waits for one of lower priority: for
// the rest of its critical section, and not for threads of priorities in between. The system hands the mutex
// to the most urgent waiter, first come first served among equals. Not recursive. Works with std::lock_guard
// and std::unique_lock.
class PriorityMutex {
 public:
  PriorityMutex();
  ~PriorityMutex();
  PriorityMutex(const PriorityMutex&) = delete;
  PriorityMutex& operator=(const PriorityMutex&) = delete;

  void lock();
  bool try_lock();
  // Waits until `deadline` at most.
  bool try_lock_until(std::chrono::steady_clock::time_point deadline);
  void unlock();

 private:
  friend class PriorityCondition;
  // Clamped to the start of the clock, because the system rejects earlier times.
  static timespec to_system(std::chrono::steady_clock::time_point time);

  pthread_mutex_t mutex_;
};

}  // namespace takt::os
