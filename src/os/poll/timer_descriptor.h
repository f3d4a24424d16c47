// A timer that is waited for as a descriptor is.
#pragma once

#include <chrono>

namespace takt::os {

// Any thread; whoever uses it serialises set() and clear().
class TimerDescriptor {
 public:
  // Where the process is out of descriptors, fd() is -1 and the rest does nothing.
  TimerDescriptor();
  ~TimerDescriptor();
  TimerDescriptor(const TimerDescriptor&) = delete;
  TimerDescriptor& operator=(const TimerDescriptor&) = delete;

  int fd() const { return fd_; }
  // Readable from then on, instead of what was set before; at once, if that has passed. One system call.
  void set(std::chrono::steady_clock::time_point when);
  // Not readable.
  void clear();

 private:
  const int fd_;
};

}  // namespace takt::os
