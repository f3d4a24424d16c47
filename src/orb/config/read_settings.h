// From the command line, the environment and a file to the settings of an ORB.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orb/config/settings.h"

namespace takt::orb {

// What the system's environment, or a test's, says; null: not set.
using Environment = std::function<const char*(const std::string& name)>;
const char* process_environment(const std::string& name);

// What an ORB uses, and where it has that from.
struct EffectiveSettings {
  Settings settings;
  // For each of options(): "default", "personality minimal", "takt.toml:3:1", "TAKT_CONNECT_TIMEOUT",
  // "-ORBConnectTimeout".
  std::vector<std::string> origins;
};

// Defaults, then those of the personality, then the file of Config, then TAKT_* variables, then -ORB
// arguments, each over the ones before. Takes the -ORB arguments, with their values, out of argv. BAD_PARAM,
// whose text has a line for everything that is wrong, unknown options, values out of range and values that do
// not go together; it names the option, where it comes from and what would have been right.
EffectiveSettings read_effective(int& argc, char* argv[], const Environment& environment);

}  // namespace takt::orb
