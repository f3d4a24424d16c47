// Options for sending to groups and receiving from them.
#pragma once

#include <cstddef>
#include <string>

#include "transport/miop/packet_collections.h"

namespace takt::transport::miop {

struct GroupOptions {
  std::string interface;  // such as "eth0"; empty: the system's routes choose
  int hops = 1;           // time to live: 1 stays on the local network, 0 on this machine
  bool loopback = true;   // deliver to members on this machine as well
  std::size_t datagram_bytes = 1232;
  CollectionLimits limits;
};

}  // namespace takt::transport::miop
