// Numbers and operation names, which may have any characters, for generated C++.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "octets/hex.h"

namespace takt::scheduling {

// A string literal. Escapes are octal with three digits, so that the next character cannot extend them.
inline std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto octet = static_cast<unsigned char>(c);
    if (octet >= ' ' && octet < 0x7f && c != '"' && c != '\\' && c != '?') {
      result += c;
    } else {
      result += '\\';
      for (int shift = 6; shift >= 0; shift -= 3) result += static_cast<char>('0' + (octet >> shift & 7));
    }
  }
  return result + '"';
}

inline std::string hexadecimal(std::uint64_t number) {
  std::string text = "0x";
  octets::append_hex(text, number);
  return text;
}

// A name inside a comment must end neither the comment nor the line.
inline std::string comment(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, '\\', '/');
  return result;
}

}  // namespace takt::scheduling
