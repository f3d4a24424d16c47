// The time in events.
#pragma once

#include <chrono>
#include <cstdint>

namespace takt::rt_events {

// The time of day as TimeBase::TimeT: units of 100 ns since 15 October 1582.
inline std::uint64_t universal_now() {
  using Unit = std::chrono::duration<std::int64_t, std::ratio<1, 10'000'000>>;
  constexpr std::int64_t unix_epoch = 0x01B21DD213814000;
  const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(unix_epoch + std::chrono::duration_cast<Unit>(since_epoch).count());
}

}  // namespace takt::rt_events
