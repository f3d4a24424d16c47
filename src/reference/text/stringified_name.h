// Names of the naming service as text, for internal use.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include <takt/reference/name_text.h>

namespace takt::reference {

inline std::expected<std::vector<NameComponent>, NameError> parse_name(std::string_view text) {
  std::vector<NameComponent> name;
  if (const auto error = read_name(text, name)) return std::unexpected(*error);
  return name;
}

}  // namespace takt::reference
