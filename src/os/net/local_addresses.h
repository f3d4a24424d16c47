// The addresses of this machine.
#pragma once

#include "os/net/address.h"

namespace takt::os {

// The addresses of all interfaces that are up, port 0, IPv4 first: no loopback, none that is only
// valid on its own link. Empty when there is none, or when the system does not tell. Allocates.
AddressList local_addresses();

}  // namespace takt::os
