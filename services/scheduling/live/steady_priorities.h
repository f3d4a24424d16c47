// Keeps priorities unchanged when levels are added and removed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace takt::scheduling {

// Assigns a priority between `minimum` and `maximum`, the more urgent end, to each level, most urgent first.
// A level keeps the priority it `had` (empty: a new level) if there is room for the levels in between, so
// that the order of old levels never changes. New levels are spread evenly over the remaining room. There
// must be at least as many priorities as levels.
std::vector<std::int32_t> steady_priorities(std::span<const std::optional<std::int32_t>> had,
                                            std::int32_t minimum, std::int32_t maximum);

}  // namespace takt::scheduling
