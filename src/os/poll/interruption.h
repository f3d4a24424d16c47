// Lets a thread's waits end before their time.
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include <takt/os/clock.h>

namespace takt::os {

// While it exists, wait_ready() and look-ups of hosts in this thread end as at their deadline soon after
// `is_due` returns true for `subject`. It is asked again after each `step` of a wait, must not block, and
// any thread may change its answer. Several may be nested: each of them ends waits.
class Interruption {
 public:
  using IsDue = bool (*)(const void* subject) noexcept;
  static constexpr std::chrono::milliseconds step{50};

  Interruption(IsDue asked, const void* subject)
      : is_due_(asked), subject_(subject), outer_(std::exchange(present_, this)) {}
  ~Interruption() { present_ = outer_; }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // For waits. Whether one of this thread's is due.
  static bool is_due() noexcept {
    const Interruption* one = present_;
    while (one && !one->is_due_(one->subject_)) one = one->outer_;
    return one != nullptr;
  }
  // When a wait until `deadline` must ask is_due() again: at once, if one is due. The deadline, if this
  // thread has none.
  static TimePoint next_look(TimePoint deadline) {
    if (!present_) return deadline;
    const TimePoint now = Clock::now();
    return std::min(deadline, is_due() ? now : now + step);
  }

 private:
  const IsDue is_due_;
  const void* const subject_;
  const Interruption* const outer_;
  static inline thread_local constinit const Interruption* present_ = nullptr;
};

}  // namespace takt::os
