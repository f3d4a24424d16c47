// A condition variable for a PriorityMutex.
#pragma once

#include <pthread.h>

#include <chrono>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

// Like std::condition_variable, whose mutex cannot inherit priorities. Times are those of CLOCK_MONOTONIC.
class PriorityCondition {
 public:
  using Clock = std::chrono::steady_clock;
  using Lock = std::unique_lock<PriorityMutex>;

  PriorityCondition() = default;
  ~PriorityCondition() { ::pthread_cond_destroy(&condition_); }
  PriorityCondition(const PriorityCondition&) = delete;
  PriorityCondition& operator=(const PriorityCondition&) = delete;

  void notify_one() { ::pthread_cond_signal(&condition_); }
  void notify_all() { ::pthread_cond_broadcast(&condition_); }

  void wait(Lock& lock);
  // Returns false if it was not notified before `deadline`.
  bool wait_until(Lock& lock, Clock::time_point deadline);

  template <class Done>
  void wait(Lock& lock, Done done) {
    while (!done()) wait(lock);
  }
  // Returns done(), at the deadline at the latest.
  template <class Done>
  bool wait_until(Lock& lock, Clock::time_point deadline, Done done) {
    while (!done())
      if (!wait_until(lock, deadline)) return done();
    return true;
  }
  template <class Done>
  bool wait_for(Lock& lock, std::chrono::nanoseconds timeout, Done done) {
    return wait_until(lock, Clock::now() + timeout, std::move(done));
  }

 private:
  pthread_cond_t condition_ = PTHREAD_COND_INITIALIZER;
};

}  // namespace takt::os
