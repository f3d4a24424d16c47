// How groups are sent to and listened to.
#pragma once

#include <cstddef>
#include <string>

#include "transport/miop/packet_collections.h"

namespace takt::transport::miop {

struct GroupOptions {
  std::string interface;  // "eth0"; empty: the system chooses by its routes
  int hops = 1;           // how many networks a packet may pass: 1 is this one alone, 0 this machine
  bool loopback = true;   // members on this machine get it as well
  std::size_t datagram_bytes = 1232;
  CollectionLimits limits;
};

}  // namespace takt::transport::miop
