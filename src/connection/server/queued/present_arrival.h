// The request that the calling thread has taken from a queue.
#pragma once

#include <chrono>
#include <utility>

#include "connection/server/queued/order/request_timing.h"

namespace takt::connection {

// While it lives, until somebody takes it. On the stack of the thread that serves; others do not see it.
class PresentArrival {
 public:
  PresentArrival(const RequestTiming* timing, std::chrono::steady_clock::time_point arrived_at)
      : timing_(timing), arrived_at_(arrived_at) {
    present_ = this;
  }
  ~PresentArrival() { present_ = nullptr; }
  PresentArrival(const PresentArrival&) = delete;
  PresentArrival& operator=(const PresentArrival&) = delete;

  // Null: the thread's request has not waited in a queue, or is not the first to ask.
  static const PresentArrival* take() { return std::exchange(present_, nullptr); }

  // What the ORB's schedule has said; null: nothing.
  const RequestTiming* timing() const { return timing_; }
  std::chrono::steady_clock::time_point at() const { return arrived_at_; }

 private:
  const RequestTiming* const timing_;
  const std::chrono::steady_clock::time_point arrived_at_;
  static inline thread_local constinit const PresentArrival* present_ = nullptr;
};

}  // namespace takt::connection
