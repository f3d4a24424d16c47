// A mutex whose owner runs at the priority of the most urgent thread that waits for it.
#pragma once

#include <pthread.h>

#include <chrono>
#include <ctime>

namespace takt::os {

// Priority inheritance (PTHREAD_PRIO_INHERIT) bounds how long a thread waits for one of lower priority: for
// the rest of the critical section, and not for what runs at priorities in between. The system hands the
// mutex to the most urgent thread that waits, and to the first to come among equals. Not recursive. It fits
// std::lock_guard and std::unique_lock.
class PriorityMutex {
 public:
  PriorityMutex();
  ~PriorityMutex();
  PriorityMutex(const PriorityMutex&) = delete;
  PriorityMutex& operator=(const PriorityMutex&) = delete;

  void lock();
  bool try_lock();
  // Waits until then at most.
  bool try_lock_until(std::chrono::steady_clock::time_point deadline);
  void unlock();

 private:
  friend class PriorityCondition;
  // Never before the clock's beginning, which the system would refuse.
  static timespec to_system(std::chrono::steady_clock::time_point time);

  pthread_mutex_t mutex_;
};

}  // namespace takt::os
