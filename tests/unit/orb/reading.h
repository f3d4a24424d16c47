// Reads a command line and an environment as an ORB does.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/exception.h>

#include "arguments.h"
#include "orb/startup/read_settings.h"

namespace takt::orb {

inline EffectiveSettings read_all(std::vector<std::string> arguments, const Environment& variables = {}) {
  Arguments command(std::move(arguments));
  return read_effective(command.argc, command.argv.data(), variables);
}

inline Settings read(std::vector<std::string> arguments, const Environment& variables = {}) {
  return read_all(std::move(arguments), variables).settings;
}

// The reason for refusing it.
inline std::string refusal(std::vector<std::string> arguments, const Environment& variables = {}) {
  try {
    read_all(std::move(arguments), variables);
  } catch (const CORBA::SystemException& refused) {
    return std::string(refused.detail());
  }
  return "nothing";
}

}  // namespace takt::orb
