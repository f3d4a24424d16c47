// Priorities that stay as they are when levels come and go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace takt::scheduling {

// For each level, the most urgent first, a priority between the two, of which `maximum` is the more urgent:
// what it has had (nothing: it is new) wherever there is room for the levels between, so that nobody is
// overtaken by what he has overtaken before. Otherwise, and to begin with, spread evenly with room on both
// ends. There are as many priorities as levels at least.
std::vector<std::int32_t> steady_priorities(std::span<const std::optional<std::int32_t>> had,
                                            std::int32_t minimum, std::int32_t maximum);

}  // namespace takt::scheduling
