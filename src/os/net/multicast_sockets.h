// UDP sockets that send to groups of receivers, and that belong to such groups.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// Errors are errno values, as in datagram_sockets.h.

bool is_multicast(const Address& address);

// The number of a network interface ("eth0"), 0 for the empty name: the system chooses. ENODEV: there is
// none.
std::expected<unsigned, int> interface_number(const std::string& name);

struct MulticastOptions {
  unsigned interface = 0;  // 0: as the routes say
  int hops = 1;            // how many networks it may pass (the time to live of IPv4)
  bool loopback = true;    // receivers on this machine get it too
};

// Connected to `group`: what it sends goes there.
std::expected<Socket, int> open_group_sender(const Address& group, const MulticastOptions& options);
// Bound to `group`, which others on this machine may be as well, and a member of it. It gets what goes to
// that address and port, from anybody. Blocking.
std::expected<Socket, int> open_group_member(const Address& group, unsigned interface);

}  // namespace takt::os
