// Formats IDL in one style, which docs/user/idl-tools.md describes.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "format/pieces.h"

namespace takt::idl::format {

struct Style {
  std::uint32_t indent = 2;   // spaces per level
  std::uint32_t width = 100;  // octets; longer lines are broken where possible
};

// The formatted text, or the reason why it cannot be formatted. The result has all pieces of the input in
// their order; only blanks, line breaks, and the leading and trailing blanks of comment lines change.
// Formatting is idempotent. Time and memory are linear in the size of the text; no file is read.
std::expected<std::string, Unfit> formatted(std::string_view text, const Style& style = {});

}  // namespace takt::idl::format
