// Octets as hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace takt::octets {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

inline void append_hex(std::string& text, std::string_view octets) {
  const auto begin = text.size();
  text.resize(begin + 2 * octets.size());
  char* to = text.data() + begin;
  for (const char c : octets) {
    const auto octet = static_cast<unsigned char>(c);
    *to++ = hex_digits[octet >> 4];
    *to++ = hex_digits[octet & 15];
  }
}

// 16 digits.
inline void append_hex(std::string& text, std::uint64_t number) {
  for (int shift = 60; shift >= 0; shift -= 4) text += hex_digits[number >> shift & 15];
}

}  // namespace takt::octets
