// Reports problems to the application without delaying the thread that detects them.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <takt/rt/schedule.h>

#include "threads/thread.h"

namespace takt::rt {

// A bounded ring with many producers and one consumer thread.
class Reporter {
 public:
  using Callback = std::function<void(const ScheduleReport&)>;
  // Throws NO_RESOURCES if no thread is available. Keeps `names` alive, which reports point into, as long as
  // the callback may run.
  Reporter(Callback callback, std::size_t places, std::shared_ptr<const void> names);
  ~Reporter() { stop(std::chrono::seconds(1)); }

  // Stops once the waiting reports have been delivered. Waits for that up to `bound`, unless called in the
  // callback.
  void stop(std::chrono::nanoseconds bound);

  // Any thread; neither locks, allocates nor waits. If the ring is full, the report is counted as lost.
  void put(const ScheduleReport& report) noexcept;
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Shared;
  const std::shared_ptr<Shared> shared_;  // shared with the thread
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<bool> stopped_{false};
  os::Thread thread_;
};

}  // namespace takt::rt
