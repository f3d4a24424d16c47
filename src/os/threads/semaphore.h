// A count that threads wait for.
#pragma once

#include <semaphore.h>

#include <chrono>

#include <takt/os/clock.h>

namespace takt::os {

// release() makes no system call unless somebody waits; acquire makes none if there is something to take.
// Among waiting threads the system wakes the one of the highest priority first. Any thread.
class Semaphore {
 public:
  Semaphore() { ::sem_init(&semaphore_, 0, 0); }
  ~Semaphore() { ::sem_destroy(&semaphore_); }
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  void release() { ::sem_post(&semaphore_); }
  // Waits so long at most. False: nothing came.
  bool acquire_within(std::chrono::nanoseconds timeout);
  // Waits until then at most, by an absolute time of CLOCK_MONOTONIC: what preempts the thread on its way
  // there does not make it late.
  bool acquire_until(TimePoint at);

 private:
  sem_t semaphore_;
};

}  // namespace takt::os
