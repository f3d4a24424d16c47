// Tells from refused datagrams whether a consumer is gone.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include <takt/os/clock.h>

namespace takt::streams::sfp {

// A refusal reports an earlier datagram, so frames that are far apart have refusals that are as far apart.
// The consumer is gone once refusals have come for a second, with no answer and no long gap between them. One
// thread at a time.
class Refusals {
 public:
  explicit Refusals(os::TimePoint now) : last_frame_(now) {}

  void note_frame(os::TimePoint now) { between_frames_ = now - std::exchange(last_frame_, now); }
  void note_answer() { first_.reset(); }
  // Whether the consumer is gone.
  bool note_refusal(os::TimePoint now) {
    const auto longest_gap = std::max<std::chrono::nanoseconds>(time_of_gone, 3 * between_frames_);
    if (!first_ || now - last_ > longest_gap) first_ = now;
    last_ = now;
    return now - *first_ >= time_of_gone;
  }

 private:
  static constexpr std::chrono::seconds time_of_gone{1};

  os::TimePoint last_frame_;
  std::chrono::nanoseconds between_frames_{};
  std::optional<os::TimePoint> first_;  // the first without an answer or a long gap since
  os::TimePoint last_;
};

}  // namespace takt::streams::sfp
