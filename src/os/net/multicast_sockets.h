// Multicast UDP sockets: senders to groups and members of groups.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include "os/net/address.h"
#include "os/net/socket.h"

namespace takt::os {

// Errors are errno values, as in datagram_sockets.h.

bool is_multicast(const Address& address);

// The index of a network interface ("eth0"). 0 for an empty name: the system chooses. Fails with ENODEV if
// there is none.
std::expected<unsigned, int> interface_number(const std::string& name);

struct MulticastOptions {
  unsigned interface = 0;  // 0: the routing table decides
  int hops = 1;            // number of networks that it may cross (IPv4's time to live)
  bool loopback = true;    // receivers on this machine get it too
};

// A socket connected to `group`, to send to it.
std::expected<Socket, int> open_group_sender(const Address& group, const MulticastOptions& options);
// A member of `group`, bound to its address and port, which other sockets on this machine may share. It
// receives what any sender sends there. Blocking.
std::expected<Socket, int> open_group_member(const Address& group, unsigned interface);

}  // namespace takt::os
