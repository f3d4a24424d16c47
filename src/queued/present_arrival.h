// The arrival of the request that the calling thread has taken from a queue.
#pragma once

#include <chrono>
#include <optional>
#include <utility>

#include "queued/request_timing.h"
#include "server/request/upcall_context.h"

namespace takt::server {

// Visible in the thread that serves the request, until it is taken or destroyed. Lives on that thread's
// stack.
class PresentArrival {
 public:
  // `timing` must outlive it.
  PresentArrival(const HeldTiming& timing, std::chrono::steady_clock::time_point arrived_at)
      : timing_(timing), arrived_at_(arrived_at) {
    UpcallContext::mine().arrival = this;
  }
  ~PresentArrival() { UpcallContext::mine().arrival = nullptr; }
  PresentArrival(const PresentArrival&) = delete;
  PresentArrival& operator=(const PresentArrival&) = delete;

  // Null if the thread's request was not queued, or its arrival was taken before.
  static const PresentArrival* take() { return std::exchange(UpcallContext::mine().arrival, nullptr); }

  // Timing in the ORB's schedule; null: none.
  const RequestTiming* timing() const { return timing_.get(); }
  // HeldTiming::early_by(), which was determined when the request was read.
  std::optional<std::chrono::nanoseconds> early_by() const { return timing_.early_by(); }
  std::chrono::steady_clock::time_point at() const { return arrived_at_; }

 private:
  const HeldTiming& timing_;
  const std::chrono::steady_clock::time_point arrived_at_;
};

}  // namespace takt::server
