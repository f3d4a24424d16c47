// Tells the application of what has gone wrong, without holding up whoever found it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <takt/rt/schedule.h>

#include "os/threads/semaphore.h"
#include "os/threads/thread.h"

namespace takt::rt {

// A ring of bounded length that any number of threads put into, and one thread takes out of.
class Reporter {
 public:
  using Tell = std::function<void(const ScheduleReport&)>;
  // NO_RESOURCES where there is no thread to be had. Keeps `names`, which reports have views of, as long as
  // the call-back may run.
  Reporter(Tell tell, std::size_t places, std::shared_ptr<const void> names);
  ~Reporter() { stop(std::chrono::seconds(1)); }

  // Nothing is told any more, once what waits has been. Waits for that, so long at most; not in the
  // call-back.
  void stop(std::chrono::nanoseconds bound);

  // Any thread; neither locks nor allocates nor waits. Where there is no place, it is counted as lost.
  void put(const ScheduleReport& report) noexcept;
  std::uint64_t lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Shared;
  const std::shared_ptr<Shared> shared_;  // with the thread
  std::atomic<std::uint64_t> lost_{0};
  std::atomic<bool> stopped_{false};
  os::Thread thread_;
};

}  // namespace takt::rt
