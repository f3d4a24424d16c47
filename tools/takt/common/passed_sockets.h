// Sockets that a service manager has opened for this process: systemd's socket activation.
#pragma once

#include <string>
#include <vector>

namespace takt::command {

// For each such socket at which connections can wait, and which no ORB of this process has taken: its
// address, and what to do. Call it when the ORB listens.
std::vector<std::string> untaken_sockets();

}  // namespace takt::command
