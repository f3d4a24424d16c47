// A personality: defaults of options that go together, under one name.
#pragma once

#include <span>
#include <string_view>

namespace takt::orb {

// A default that differs from the table's. `value` as a user would write it.
struct Preset {
  std::string_view option;
  std::string_view value;
  std::string_view why;  // for people
};

struct Personality {
  std::string_view name;
  std::string_view meaning;  // what it is for, and what it is not for
  std::span<const Preset> presets;
};

extern const Personality standard_personality, realtime_personality, avionics_personality,
    imaging_personality, minimal_personality;

std::span<const Personality* const> personalities();
// Null: there is none.
const Personality* find_personality(std::string_view name);

}  // namespace takt::orb
