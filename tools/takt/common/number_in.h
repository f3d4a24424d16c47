// Numbers in the words of a command line.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace takt::command {

// The number that the whole text is, in digits of that base; nullopt if it is none, or too large.
template <class Number>
std::optional<Number> number_in(std::string_view text, int base = 10) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, base);
  if (error != std::errc() || at != end) return std::nullopt;
  return number;
}

}  // namespace takt::command
