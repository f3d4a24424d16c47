// What an ORB makes of a command line and of an environment.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <takt/cdr/exception.h>

#include "arguments.h"
#include "orb/config/read_settings.h"

namespace takt::orb {

using Variables = std::map<std::string, std::string>;

inline EffectiveSettings read_all(std::vector<std::string> arguments, const Variables& variables = {}) {
  Arguments command(std::move(arguments));
  return read_effective(command.argc, command.argv.data(), [&](const std::string& name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

inline Settings read(std::vector<std::string> arguments, const Variables& variables = {}) {
  return read_all(std::move(arguments), variables).settings;
}

// Why it is refused.
inline std::string refusal(std::vector<std::string> arguments, const Variables& variables = {}) {
  try {
    read_all(std::move(arguments), variables);
  } catch (const CORBA::BAD_PARAM& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

}  // namespace takt::orb
