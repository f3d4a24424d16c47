#include "os/environment.h"

#include <errno.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace takt::os {

std::map<std::string, std::string> environment_with(std::string_view prefix) {
  std::map<std::string, std::string> found;
  if (::getauxval(AT_SECURE) != 0) return found;
  for (char** each = ::environ; each && *each; ++each) {
    const std::string_view variable(*each);
    const std::size_t equals = variable.find('=');
    if (equals == variable.npos || !variable.substr(0, equals).starts_with(prefix)) continue;
    found.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return found;
}

std::string program_name() { return ::program_invocation_short_name; }

}  // namespace takt::os
