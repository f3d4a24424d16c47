// Columns of tables in text. Names may be UTF-8.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace takt::scheduling {

// The number of characters.
inline std::size_t characters_of(std::string_view text) {
  const auto is_first = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, is_first));
}

// Pads the text with spaces to `width` characters; longer text is unchanged.
inline std::string in_column(std::string text, std::size_t width) {
  const std::size_t characters = characters_of(text);
  if (characters < width) text.append(width - characters, ' ');
  return text;
}

}  // namespace takt::scheduling
