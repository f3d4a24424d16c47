// How late this machine wakes threads up.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

namespace takt::command {

struct WakeUps {
  unsigned processor = 0;
  bool real_time = false;  // at the priority that was asked for; else as an ordinary thread
  std::vector<std::chrono::nanoseconds> lateness;  // sorted
};

// On each processor that this process may use, a thread at that SCHED_FIFO priority sleeps until an absolute
// time every millisecond, for `length`. Blocks for that long.
std::vector<WakeUps> measure_wake_ups(int priority, std::chrono::milliseconds length);

}  // namespace takt::command
