// What an ORB tells whoever runs the program.
#pragma once

#include <string_view>

#include "orb/config/settings.h"

namespace takt::orb {

// As LogLevel says, which may change: for all copies of the settings.
inline bool warns(const Settings& settings) { return *settings.warns; }
inline void set_log_level(const Settings& settings) {
  *settings.warns = settings.log_level != "off" && settings.log_level != "error";
}
// A line on standard error, where LogLevel lets it. Any thread.
void warn(const Settings& settings, std::string_view text);

}  // namespace takt::orb
