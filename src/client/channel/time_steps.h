// Timeouts of sockets that calls with nearly equal budgets can share.
#pragma once

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

namespace takt::client {

// Rounds down to one of a few values, by at most an eighth.
inline std::chrono::nanoseconds in_steps(std::chrono::nanoseconds time) {
  constexpr int kept_bits = 4;
  const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 1000));
  const int dropped = std::bit_width(count) - kept_bits;
  return std::chrono::nanoseconds(count >> dropped << dropped);
}

}  // namespace takt::client
