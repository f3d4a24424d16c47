#include "os/shared_memory/machine_identity.h"

#include <fstream>

#include "os/net/unix_socket.h"

namespace takt::os {

std::string machine_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string identity;
  std::getline(file, identity);
  return identity.empty() ? host_name() : identity;
}

}  // namespace takt::os
