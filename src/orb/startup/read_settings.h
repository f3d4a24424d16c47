// Reads the settings of an ORB from the command line, the environment and a file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <takt/config/other_orbs.h>

#include "config/settings.h"

namespace takt::orb {

struct Option;
class Remarks;

// Variables and their values. Only those that begin with TAKT_ matter.
using Environment = std::map<std::string, std::string>;
// The variables of this process that begin with TAKT_.
Environment process_environment();

// Sources of settings: the -ORB arguments with their values, the variables, and what a program of another ORB
// had in variables of its own.
struct SettingSources {
  std::vector<std::string> arguments;
  Environment environment;
  std::vector<SettingOfProgram> of_program;
};

// The settings of an ORB, and their origins.
struct EffectiveSettings {
  Settings settings;
  // For each of options(): "default", "personality minimal", "takt.toml:3:1", "TAKT_CONNECT_TIMEOUT",
  // "-ORBConnectTimeout".
  std::vector<std::string> origins;
  std::string& origin_of(const Option& option);
  const std::string& origin_of(const Option& option) const;
  SettingSources sources;
  std::shared_ptr<const Remarks> remarks;  // on settings of another ORB, if there are any
};

// Merges, in ascending precedence: defaults, those of the other ORB (other_orb()), the personality's presets,
// the other ORB's settings, the file of Config, TAKT_* variables, -ORB arguments. Removes the -ORB arguments
// and their values from argv. Throws BAD_PARAM with one line per error: unknown options, variables whose
// names almost match one, invalid values, and conflicts. Each line states the option, its origin and the
// correct form. Loads the plug-ins if the personality is none of the ORB's own; throws INITIALIZE for one
// that cannot be used.
EffectiveSettings read_effective(int& argc, char* argv[], const Environment& environment);
// The same from recorded sources, with the current content of the file of Config.
EffectiveSettings read_again(const SettingSources& sources);

}  // namespace takt::orb
