// Deadlines and budgets that upcalls in the threads of one lane have not kept.
#pragma once

#include <atomic>
#include <cstdint>

namespace takt::rt {

// Any thread. Outlives the lane's threads.
struct LaneCounts {
  std::atomic<std::uint64_t> deadlines_missed{0};
  std::atomic<std::uint64_t> overruns{0};  // counted when the upcall ends

  // The lane that the calling thread works for; null if for none.
  static inline thread_local constinit LaneCounts* of_thread = nullptr;
};

}  // namespace takt::rt
