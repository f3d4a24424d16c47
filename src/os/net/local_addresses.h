// The addresses of this machine.
#pragma once

#include "os/net/address.h"

namespace takt::os {

// The addresses of all interfaces that are up, with port 0, IPv4 first. Excludes loopback and link-local
// addresses. Empty if there is none or the system does not report them. Allocates.
AddressList local_addresses();

}  // namespace takt::os
