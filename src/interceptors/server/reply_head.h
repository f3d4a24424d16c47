// The head of a reply of GIOP 1.2, which is never borrowed: its number, status and contexts follow 12 octets.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace takt::interceptors {

inline constexpr std::size_t status_at = 16, contexts_at = 20;

inline std::uint32_t number_at(const std::uint8_t* octets, bool swapped) {
  std::uint32_t number;
  std::memcpy(&number, octets, sizeof(number));
  return swapped ? std::byteswap(number) : number;
}
// Whether a message is not in native order.
inline bool is_swapped(const std::uint8_t* message) {
  const bool little = (message[6] & 1) != 0;
  return little != (std::endian::native == std::endian::little);
}

}  // namespace takt::interceptors
