// Personalities: named sets of option defaults.
#pragma once

#include <span>
#include <string_view>

namespace takt::orb {

// A default that differs from the option's own. `value` is written as a user would write it.
struct Preset {
  std::string_view option;
  std::string_view value;
  std::string_view why;  // for people
};

struct Personality {
  std::string_view name;
  std::string_view meaning;  // intended use, and its limits
  std::span<const Preset> presets;
};

extern const Personality standard_personality, realtime_personality, avionics_personality,
    imaging_personality, minimal_personality;

std::span<const Personality* const> personalities();
// Null if there is none.
const Personality* find_personality(std::string_view name);

}  // namespace takt::orb
