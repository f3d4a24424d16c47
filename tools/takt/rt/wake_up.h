// Measures the wake-up latency of this machine.
#pragma once

#include <chrono>
#include <cstddef>
#include <vector>

#include "rt/machine.h"

namespace takt::command {

struct WakeUps {
  unsigned processor = 0;
  int priority = 0;                                // SCHED_FIFO; 0 if it may not be used: an ordinary thread
  std::vector<std::chrono::nanoseconds> lateness;  // sorted

  bool is_real_time() const { return priority > 0; }
};

// On each processor available to this process, a thread with the SCHED_FIFO priority sleeps until an absolute
// time every millisecond. Blocks for `length`.
std::vector<WakeUps> measure_wake_ups(int priority, std::chrono::milliseconds length);

// The verdict on one processor. `settings_are_bad`: at least one setting of the machine is BAD.
Finding finding_of(const WakeUps& wake_ups, bool settings_are_bad);

}  // namespace takt::command
