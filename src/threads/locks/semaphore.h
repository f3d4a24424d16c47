// A counting semaphore.
#pragma once

#include <semaphore.h>

#include <chrono>

namespace takt::os {

// release() makes a system call only if a thread waits; acquiring makes one only if it must wait. The system
// wakes the waiting thread of the highest priority first. Any thread.
class Semaphore {
 public:
  Semaphore() { ::sem_init(&semaphore_, 0, 0); }
  ~Semaphore() { ::sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  void release() { ::sem_post(&semaphore_); }
  // Waits for `timeout` at most. Returns false if it timed out.
  bool acquire_within(std::chrono::nanoseconds timeout);
  // Waits until `at` at most. The time is absolute (CLOCK_MONOTONIC), so preemption before the wait does not
  // make it late.
  bool acquire_until(std::chrono::steady_clock::time_point at);

 private:
  sem_t semaphore_;
};

}  // namespace takt::os
