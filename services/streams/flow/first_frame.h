// When the first frame of a flow is due.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace takt::streams {

inline constexpr std::chrono::milliseconds longest_first_delay{20};

// Time between the start of a producer and its first frame, less than a period. Flows that are started
// together would otherwise be due together, and a call that comes then would wait for all of them. `number`:
// of the producer in its device, from 0, whose delay is none. Successive numbers are spread evenly (golden
// ratio).
inline std::chrono::nanoseconds first_delay(std::uint64_t number, double frame_rate) {
  if (frame_rate <= 0) return std::chrono::nanoseconds::zero();
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;  // 2^64 divided by the golden ratio
  const double share =
      static_cast<double>(number * golden >> 11) / static_cast<double>(std::uint64_t{1} << 53);
  const std::chrono::duration<double> longest = std::min<std::chrono::duration<double>>(
      longest_first_delay, std::chrono::duration<double>(1 / frame_rate));
  return std::chrono::duration_cast<std::chrono::nanoseconds>(share * longest);
}

}  // namespace takt::streams
