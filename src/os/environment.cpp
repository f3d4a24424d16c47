#include "os/environment.h"

#include <errno.h>
#include <pwd.h>
#include <sys/auxv.h>
#include <unistd.h>

namespace takt::os {

bool has_privileges_of_file() { return ::getauxval(AT_SECURE) != 0; }

std::map<std::string, std::string> environment_with(std::string_view prefix) {
  std::map<std::string, std::string> found;
  if (has_privileges_of_file()) return found;
  for (char** each = ::environ; each && *each; ++each) {
    const std::string_view variable(*each);
    const std::size_t equals = variable.find('=');
    if (equals == variable.npos || !variable.substr(0, equals).starts_with(prefix)) continue;
    found.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  return found;
}

std::string program_name() { return ::program_invocation_short_name; }

std::string user_name() {
  passwd entry{}, *found = nullptr;
  char memory[4096];
  if (::getpwuid_r(::geteuid(), &entry, memory, sizeof memory, &found) == 0 && found) return found->pw_name;
  return std::to_string(::geteuid());
}

}  // namespace takt::os
