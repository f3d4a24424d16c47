// Synchronises with the threads of a lane that is being opened, which reserve processor time.
#pragma once

#include <cerrno>
#include <chrono>
#include <mutex>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::orb {

// Any thread.
class LaneStart {
 public:
  // Call when a thread has its reservation (0), or could not get it (an errno value).
  void began(int error) {
    {
      const std::lock_guard lock(mutex_);
      ++begun_;
      if (error_ == 0) error_ = error;
    }
    changed_.notify_all();
  }
  // Waits for that many threads. Returns their first error, or 0; ETIMEDOUT after `patience`.
  int wait_for(unsigned threads, std::chrono::nanoseconds patience) {
    os::PriorityCondition::Lock lock(mutex_);
    const bool all = changed_.wait_for(lock, patience, [&] { return begun_ >= threads || error_ != 0; });
    over_ = true;
    return all ? error_ : ETIMEDOUT;
  }
  // True: later calls of began() are from threads added to a serving lane.
  bool over() {
    const std::lock_guard lock(mutex_);
    return over_;
  }

 private:
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  unsigned begun_ = 0;
  int error_ = 0;
  bool over_ = false;
};

}  // namespace takt::orb
