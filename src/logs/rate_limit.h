// Limits how many lines of each event a second may have.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "base/event_log.h"

namespace takt::logs {

// Any thread. Neither locks nor allocates. Seconds are counted from any fixed time.
class RateLimit {
 public:
  // False: leave the line out; it is counted.
  bool admits(LogEvent event, std::uint32_t second) noexcept;
  // Counts lines that are left out for another reason.
  void leave_out(LogEvent event, std::uint64_t lines = 1) noexcept;
  // The lines of the event left out since the last call.
  std::uint64_t take_left_out(LogEvent event) noexcept;
  bool has_left_out() const noexcept { return has_left_out_.load(std::memory_order_relaxed); }

 private:
  struct State {
    std::atomic<std::uint64_t> admitted{0};  // a second, and the lines admitted in it
    std::atomic<std::uint64_t> left_out{0};
  };
  std::array<State, log_events.size()> states_;
  std::atomic<bool> has_left_out_{false};
};

}  // namespace takt::logs
