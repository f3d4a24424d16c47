// The difference of two texts in the unified format.
#pragma once

#include <string>
#include <string_view>

namespace takt::idl::format {

// The unified diff with three lines of context; empty if the texts are equal. If the texts are long and
// differ throughout, all lines between the first and the last difference are shown as changed.
std::string unified_diff(std::string_view old, std::string_view now, const std::string& name);

}  // namespace takt::idl::format
