// From the command line, the environment and a file to the settings of an ORB.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "orb/config/settings.h"

namespace takt::orb {

// Variables and what they say; those that do not begin with TAKT_ are not looked at.
using Environment = std::map<std::string, std::string>;
// Those of this process that begin so.
Environment process_environment();

// Where settings come from: the -ORB arguments with their values, and the variables.
struct SettingSources {
  std::vector<std::string> arguments;
  Environment environment;
};

// What an ORB uses, and where it has that from.
struct EffectiveSettings {
  Settings settings;
  // For each of options(): "default", "personality minimal", "takt.toml:3:1", "TAKT_CONNECT_TIMEOUT",
  // "-ORBConnectTimeout".
  std::vector<std::string> origins;
  SettingSources sources;
};

// Defaults, then those of the personality, then the file of Config, then TAKT_* variables, then -ORB
// arguments, each over the ones before. Takes the -ORB arguments, with their values, out of argv. BAD_PARAM,
// whose text has a line for everything that is wrong, unknown options, variables that are nearly called like
// one, values out of range and values that do not go together; it names the option, where it comes from and
// what would have been right.
EffectiveSettings read_effective(int& argc, char* argv[], const Environment& environment);
// From the same sources, with the file of Config as it is now.
EffectiveSettings read_again(const SettingSources& sources);

}  // namespace takt::orb
