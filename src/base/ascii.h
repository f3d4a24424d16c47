// ASCII text without regard to case. The program's locale has no say: in a Turkish one, tolower('I') is not
// 'i'.
#pragma once

#include <algorithm>
#include <string_view>

namespace takt {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr char to_upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

constexpr bool equal_ignoring_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, to_lower, to_lower);
}

}  // namespace takt
