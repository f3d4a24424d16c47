// The difference of two texts, as patch reads it.
#pragma once

#include <string>
#include <string_view>

namespace takt::idl::format {

// In the unified format with three lines of context; empty if the texts are equal. Where the texts are long
// and differ everywhere, all lines between the first and the last difference are shown as changed.
std::string unified_diff(std::string_view old, std::string_view now, const std::string& name);

}  // namespace takt::idl::format
