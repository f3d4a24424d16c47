// The request that the calling thread has taken from a queue.
#pragma once

#include <chrono>
#include <utility>

#include "server/queued/order/request_timing.h"
#include "server/upcall_context.h"

namespace takt::server {

// While it lives, until somebody takes it. On the stack of the thread that serves; others do not see it.
class PresentArrival {
 public:
  PresentArrival(const RequestTiming* timing, std::chrono::steady_clock::time_point arrived_at)
      : timing_(timing), arrived_at_(arrived_at) {
    UpcallContext::mine().arrival = this;
  }
  ~PresentArrival() { UpcallContext::mine().arrival = nullptr; }
  PresentArrival(const PresentArrival&) = delete;
  PresentArrival& operator=(const PresentArrival&) = delete;

  // Null: the thread's request has not waited in a queue, or is not the first to ask.
  static const PresentArrival* take() { return std::exchange(UpcallContext::mine().arrival, nullptr); }

  // What the ORB's schedule has said; null: nothing.
  const RequestTiming* timing() const { return timing_; }
  std::chrono::steady_clock::time_point at() const { return arrived_at_; }

 private:
  const RequestTiming* const timing_;
  const std::chrono::steady_clock::time_point arrived_at_;
};

}  // namespace takt::server
