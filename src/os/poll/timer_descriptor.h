// A timer that is waited for like a descriptor.
#pragma once

#include <chrono>

namespace takt::os {

// Any thread, but set() and clear() must not run concurrently.
class TimerDescriptor {
 public:
  // If the process has run out of descriptors, fd() is -1 and the other functions do nothing.
  TimerDescriptor();
  ~TimerDescriptor();
  TimerDescriptor(const TimerDescriptor&) = delete;
  TimerDescriptor& operator=(const TimerDescriptor&) = delete;

  int fd() const { return fd_; }
  // Makes fd() readable from that time on, at once if it has passed. Replaces the earlier time. One system
  // call.
  void set(std::chrono::steady_clock::time_point when);
  // Disarms the timer and makes fd() not readable.
  void clear();

 private:
  const int fd_;
};

}  // namespace takt::os
