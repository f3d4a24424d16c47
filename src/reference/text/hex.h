// Hexadecimal digits, in upper and lower case.
#pragma once

#include <cstdint>
#include <string>

#include "base/hex.h"

namespace takt::reference {

// The value of a digit, or -1.
constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}
// The octet that two digits encode, or -1.
constexpr int hex_octet(char high, char low) {
  return hex_digit(high) < 0 || hex_digit(low) < 0 ? -1 : hex_digit(high) << 4 | hex_digit(low);
}
inline void append_hex(std::string& text, std::uint8_t octet) {
  text += hex_digits[octet >> 4];
  text += hex_digits[octet & 15];
}

}  // namespace takt::reference
