// A count that threads wait for.
#pragma once

#include <semaphore.h>

#include <chrono>

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

 private:
  sem_t semaphore_;
};

}  // namespace takt::os
