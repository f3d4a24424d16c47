// Which options can be changed while an ORB runs.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace takt::orb {

struct Change {
  std::string_view option;
  bool adds;              // appends to a list; false: replaces the value
  std::string_view when;  // when the change takes effect
};
std::span<const Change> changes();
// Null if the option cannot be changed.
const Change* find_change(std::string_view option);

// Why the option cannot be changed, for people.
std::string why_not(std::string_view option);

}  // namespace takt::orb
