// Listening sockets that a service manager has opened for this process: systemd's socket activation
// (sd_listen_fds(3)).
#pragma once

#include <optional>
#include <vector>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::transport {

// A duplicate of the TCP socket that listens at exactly that address, among those that LISTEN_FDS and
// LISTEN_PID pass to this process; empty if there is none. Non-blocking. Any thread.
std::optional<os::Socket> inherited_listener(const os::Address& address, int backlog);

// The addresses of the other passed sockets in which connections can wait, and which inherited_listener()
// has never returned; empty for a UNIX-domain socket. Any thread.
std::vector<std::optional<os::Address>> untaken_listeners();

}  // namespace takt::transport
