#include <algorithm>

#include "orb/personality/personality.h"

namespace takt::orb {

namespace {

constexpr const Personality* all[] = {&standard_personality, &realtime_personality, &avionics_personality,
                                      &imaging_personality, &minimal_personality};

}  // namespace

std::span<const Personality* const> personalities() { return all; }

const Personality* find_personality(std::string_view name) {
  const auto found = std::ranges::find_if(all, [&](const Personality* one) { return one->name == name; });
  return found == std::end(all) ? nullptr : *found;
}

}  // namespace takt::orb
