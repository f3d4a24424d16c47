// Choices to which plug-ins add.
#pragma once

#include <cstdint>
#include <string>

namespace takt::orb {

// One of the ORB's own values, or the name of a plug-in's.
struct OpenChoiceValue {
  std::uint32_t own = 0;
  std::string plugin;  // empty: it is `own`
};

// T: an enum of the ORB's own values.
template <class T>
struct OpenChoice : OpenChoiceValue {
  OpenChoice(T value) : OpenChoiceValue{static_cast<std::uint32_t>(value), {}} {}
  friend bool operator==(const OpenChoice& a, T b) {
    return a.plugin.empty() && a.own == static_cast<std::uint32_t>(b);
  }
};

}  // namespace takt::orb
