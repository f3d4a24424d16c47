#include "os/shared_memory/machine_identity.h"

#include <unistd.h>

#include <charconv>
#include <cstdint>
#include <fstream>
#include <random>

#include "os/net/unix_socket.h"

namespace takt::os {

std::string machine_identity() {
  static const std::string boot = [] {
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string identity;
    std::getline(file, identity);
    return identity;
  }();
  return boot.empty() ? host_name() : boot;
}

[[gnu::cold]] std::string namespace_identity() {
  std::string identity = machine_identity();
  for (const char* const kind : {"/proc/self/ns/net", "/proc/self/ns/user"}) {
    char name[64];
    const ssize_t length = ::readlink(kind, name, sizeof name);
    if (length <= 0) return {};
    identity.append(" ").append(name, static_cast<std::size_t>(length));
  }
  return identity;
}

// Process ids are reused, and those of two containers may be equal from the start.
std::string process_identity() {
  static const std::uint64_t random = [] {
    std::random_device device;
    return std::uint64_t{device()} << 32 | device();
  }();
  char text[32];
  const auto number = std::to_chars(text, text + sizeof text, own_process()).ptr;
  *number = '-';
  return {text, std::to_chars(number + 1, text + sizeof text, random, 16).ptr};
}

}  // namespace takt::os
