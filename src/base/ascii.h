// ASCII text without regard to case. The program's locale has no say: in a Turkish one, tolower('I') is not
// 'i'.
#pragma once

#include <algorithm>
#include <string_view>

namespace takt {

constexpr char to_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

constexpr bool equal_ignoring_case(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, to_lower, to_lower);
}

}  // namespace takt
