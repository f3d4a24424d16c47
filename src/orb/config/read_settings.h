// From the command line and the environment to the settings of an ORB.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "orb/config/settings.h"

namespace takt::orb {

// What the system's environment, or a test's, says; null: not set.
using Environment = std::function<const char*(const std::string& name)>;

// Defaults, then TAKT_* variables, then -ORB arguments, each over the ones before. Takes the -ORB arguments,
// with their values, out of argv. BAD_PARAM, whose text names the option and what would have been right, for
// unknown options and values out of range.
Settings read_settings(int& argc, char* argv[], const Environment& environment);

// TAKT_CONNECT_TIMEOUT for ConnectTimeout.
std::string environment_name(std::string_view option);
// All options as a page of the documentation.
std::string options_as_markdown();

}  // namespace takt::orb
