// A semaphore for threads that wait for work.
#pragma once

#include <semaphore.h>

#include <cerrno>
#include <chrono>
#include <ctime>

#include <takt/os/clock.h>

namespace takt::rt_events {

// post() never waits, and takes no lock. Any thread.
class WakeUp {
 public:
  WakeUp() { sem_init(&semaphore_, 0, 0); }
  ~WakeUp() { sem_destroy(&semaphore_); }
  WakeUp(const WakeUp&) = delete;
  WakeUp& operator=(const WakeUp&) = delete;

  void post() { sem_post(&semaphore_); }
  void wait() {
    while (sem_wait(&semaphore_) != 0 && errno == EINTR) continue;
  }
  // False: `until` has passed.
  bool wait(os::TimePoint until) {
    if (until == os::no_deadline) return wait(), true;
    const auto since = until.time_since_epoch();
    const auto seconds = std::chrono::floor<std::chrono::seconds>(since);
    const timespec time{static_cast<time_t>(seconds.count()),
                        static_cast<long>(std::chrono::nanoseconds(since - seconds).count())};
    int result = 0;
    while ((result = sem_clockwait(&semaphore_, CLOCK_MONOTONIC, &time)) != 0 && errno == EINTR) continue;
    return result == 0;
  }

 private:
  sem_t semaphore_;
};

}  // namespace takt::rt_events
