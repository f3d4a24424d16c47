// Lays IDL out in one style, which docs/user/idl-tools.md describes.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "format/pieces.h"

namespace takt::idl::format {

struct Style {
  std::uint32_t indent = 2;   // blanks for each level
  std::uint32_t width = 100;  // octets of a line, beyond which it is broken where that is possible
};

// The text in that style, or why it stays as it is. All pieces of the input are in the result, in their
// order: only blanks, line breaks and what comments begin and end lines with change. Formatting the result
// again gives the same. Takes time and memory in proportion to the text, and reads no file.
std::expected<std::string, Unfit> formatted(std::string_view text, const Style& style = {});

}  // namespace takt::idl::format
