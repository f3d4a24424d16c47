// Measures how long the machine delays the most urgent thread, which no schedule can know.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#include "common/processor_time.h"
#include "common/wake_at.h"

namespace bench {

// A thread of the highest priority on a processor that wakes up every millisecond and measures how late it
// is. The delays come from interrupts, the host of a virtual machine and the like.
class Hiccups {
 public:
  explicit Hiccups(int processor)
      : thread_([this, processor](std::stop_token stop) { watch(processor, stop); }) {}

  // Ends the thread and returns the longest delay.
  nanoseconds end() {
    thread_.request_stop();
    thread_.join();
    return longest_;
  }

 private:
  void watch(int processor, const std::stop_token& stop) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    ::pthread_setaffinity_np(::pthread_self(), sizeof one, &one);
    const sched_param highest{.sched_priority = ::sched_get_priority_max(SCHED_FIFO)};
    ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &highest);
    auto wake = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
      wake += std::chrono::milliseconds(1);
      wake_at(wake);
      const auto now = std::chrono::steady_clock::now();
      longest_ = std::max(longest_, nanoseconds(now - wake));
      wake = std::max(wake, now - std::chrono::milliseconds(1));  // missed wake-ups count as one
    }
  }

  nanoseconds longest_{};
  std::jthread thread_;
};

}  // namespace bench
