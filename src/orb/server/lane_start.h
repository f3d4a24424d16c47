// Threads of a lane that is being opened, which reserve processor time as they start.
#pragma once

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace takt::orb {

// Any thread.
class LaneStart {
 public:
  // One of them has its reservation, or an errno value instead.
  void began(int error) {
    {
      const std::lock_guard lock(mutex_);
      ++begun_;
      if (error_ == 0) error_ = error;
    }
    changed_.notify_all();
  }
  // The first error of so many, or 0; ETIMEDOUT where they have not all begun within `patience`.
  int wait_for(unsigned threads, std::chrono::nanoseconds patience) {
    std::unique_lock lock(mutex_);
    const bool all = changed_.wait_for(lock, patience, [&] { return begun_ >= threads || error_ != 0; });
    over_ = true;
    return all ? error_ : ETIMEDOUT;
  }
  // What comes later is of threads that are added while the lane serves.
  bool over() {
    const std::lock_guard lock(mutex_);
    return over_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  unsigned begun_ = 0;
  int error_ = 0;
  bool over_ = false;
};

}  // namespace takt::orb
