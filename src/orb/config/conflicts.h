// Settings that are valid one by one, but contradict each other.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "orb/config/settings.h"

namespace takt::orb {

struct Conflict {
  std::string_view one, other;  // the options
  bool (*is_there)(const Settings& settings);
  std::string_view when;  // for people: the values
  std::string_view why;
  std::string_view instead;
};

std::span<const Conflict> conflicts();

}  // namespace takt::orb
