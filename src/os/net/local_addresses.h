// The addresses of this machine.
#pragma once

#include <span>

#include "os/net/address.h"

namespace takt::os {

// An address of an interface that is up.
struct InterfaceAddress {
  Address address;
  bool has_carrier = true;  // false: its interface reaches no other machine now
  bool leads_out = false;   // the system sends from it to networks to which this machine is not attached
};

// The addresses that other machines may know, in the order in which they should try them: IPv4 first, in each
// family the one that leads out first, and those without a carrier last. Leaves out loopback and link-local
// addresses, and repetitions.
AddressList in_order_of_reach(std::span<const InterfaceAddress> addresses);

// These of all interfaces that are up, with port 0. Empty if there is none or the system does not report
// them. Makes system calls, and sends nothing. Allocates.
AddressList local_addresses();

}  // namespace takt::os
