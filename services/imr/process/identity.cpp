#include "imr/process/identity.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>

namespace takt::imr {
namespace {

std::string link_of(const char* path) {
  std::array<char, 64> text{};
  const auto length = readlink(path, text.data(), text.size());
  return length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : std::string();
}

std::string read_boot() {
  std::string boot;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> boot;
  return boot;
}

const std::string& this_boot() {
  static const std::string boot = read_boot();
  return boot;
}

}  // namespace

std::string machine_identity() { return this_boot() + ' ' + link_of("/proc/self/ns/pid"); }

// The time since the boot at which the process began.
std::string process_identity(pid_t pid) {
  constexpr int field_of_start = 22;
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto place = text.rfind(')');  // the second field, a program's name, may contain anything
  for (int field = 2; field < field_of_start && place != std::string::npos; ++field)
    place = text.find(' ', place + 1);
  if (place == std::string::npos) return {};
  return this_boot() + ' ' + text.substr(place + 1, text.find(' ', place + 1) - place - 1);
}

bool is_process(pid_t pid, const std::string& identity) {
  const std::string its_own = process_identity(pid);
  if (its_own.empty() || identity.empty()) return false;
  return identity == its_own || its_own.ends_with(' ' + identity);
}

}  // namespace takt::imr
