// The time of recorded messages.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/time/ticks.h"

namespace takt::recorder {

// The system's time. Reads it directly: a call of the system's clock.
std::int64_t recording_time();

// The system's time by the processor's tick counter, which takes less than half as long as the clock. It
// reads the clock ten times a second, and each time if the system does not trust the counter. Any thread;
// neither locks nor allocates.
class RecordingClock {
 public:
  RecordingClock();
  // Nanoseconds since 1970, UTC.
  std::int64_t now() noexcept {
    const std::uint64_t ticks = os::ticks();
    if (ticks - begin_ >= until_.load(std::memory_order_relaxed)) [[unlikely]]
      return read_clock();
    const auto passed = static_cast<double>(static_cast<std::int64_t>(ticks - begin_));
    return offset_ns_.load(std::memory_order_relaxed) +
           static_cast<std::int64_t>(passed * rate_.load(std::memory_order_relaxed));
  }

 private:
  std::int64_t read_clock() noexcept;

  const bool is_trusted_;
  const os::TickRate measured_;
  const std::uint64_t begin_ = os::ticks();
  // Ticks since `begin_` until which these two hold: time is the offset, and the ticks since `begin_` at that
  // rate. Threads may read one before and the other after a change, since each change is small: the rate
  // changes in the first second, by some millionths, and the offset by what the clock was corrected.
  std::atomic<std::uint64_t> until_{0};
  std::atomic<std::int64_t> offset_ns_{0};
  std::atomic<double> rate_{0};                        // nanoseconds of a tick
  std::atomic<std::uint64_t> least_read_{UINT64_MAX};  // ticks that a read of the clock takes at least
};

}  // namespace takt::recorder
