// Octets as hexadecimal digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
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

// 128 random bits of the operating system, so that they can neither be guessed nor come twice.
inline std::string random_token() {
  constexpr int length = 32;
  std::random_device random;
  std::string token;
  for (int i = 0; i < length; ++i) token.push_back(hex_digits[random() % 16]);
  return token;
}

}  // namespace takt::octets
