// How long the machine itself holds up who is most urgent: what no schedule can know of.
#pragma once

#include <algorithm>
#include <thread>

#include "common/wake_at.h"
#include "schedule/lane_server.h"

namespace bench {

// A thread of the highest priority on a processor, which wakes up every millisecond and looks how late it is.
// Interrupts, the host of a virtual machine and the like are in that.
class Hiccups {
 public:
  explicit Hiccups(int processor)
      : thread_([this, processor](std::stop_token stop) { watch(processor, stop); }) {}

  // The longest; ends it.
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
      wake = std::max(wake, now - std::chrono::milliseconds(1));  // those that it has missed are one
    }
  }

  nanoseconds longest_{};
  std::jthread thread_;
};

}  // namespace bench
