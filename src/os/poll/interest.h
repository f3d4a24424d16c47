// The kinds of readiness to wait for on a descriptor.
#pragma once

#include <cstdint>

namespace takt::os {

// A set of two: combine with |, test with has().
enum class Interest : std::uint8_t { none = 0, read = 1, write = 2, read_write = 3 };

constexpr Interest operator|(Interest left, Interest right) {
  return static_cast<Interest>(static_cast<unsigned>(left) | static_cast<unsigned>(right));
}
constexpr Interest operator&(Interest left, Interest right) {
  return static_cast<Interest>(static_cast<unsigned>(left) & static_cast<unsigned>(right));
}
constexpr bool has(Interest set, Interest part) { return (set & part) == part; }

}  // namespace takt::os
