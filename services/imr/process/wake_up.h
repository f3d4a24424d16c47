// Waits for descriptors, and is woken by other threads.
#pragma once

#include <chrono>
#include <vector>

namespace takt::imr {

class WakeUp {
 public:
  // Throws std::system_error if the system has no descriptor left.
  WakeUp();
  ~WakeUp();
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  // Ends the current or the next wait(). Any thread.
  void wake() const;
  // Waits until a descriptor is readable, wake() was called or the time has passed. Returns the descriptors
  // that are readable. One thread.
  std::vector<int> wait(const std::vector<int>& descriptors, std::chrono::nanoseconds time) const;

 private:
  const int event_;
};

}  // namespace takt::imr
