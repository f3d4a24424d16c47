#include "imr/process/identity.h"

#include <fstream>
#include <iterator>
#include <string>

namespace takt::imr {

// The time at which the process began.
std::string process_identity(pid_t pid) {
  constexpr int field_of_start = 22;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto place = text.rfind(')');  // the second field, a program's name, may contain anything
  for (int field = 2; field < field_of_start && place != std::string::npos; ++field)
    place = text.find(' ', place + 1);
  if (place == std::string::npos) return {};
  return text.substr(place + 1, text.find(' ', place + 1) - place - 1);
}

}  // namespace takt::imr
