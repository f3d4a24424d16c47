// Finds the users of listening TCP sockets.
#pragma once

#include <sys/types.h>

#include <string>

namespace takt::imr {

// Whether a socket listens at "HOST:PORT" or "[HOST]:PORT" on this machine, and all that do are of `user` or
// the superuser. The host is an address, "localhost" or this machine's name; no name service is asked. Reads
// /proc/net/tcp and tcp6; false if they cannot be read.
bool is_listener_of(const std::string& address, uid_t user);

// Whether both addresses, "HOST:PORT", are of one listener, if `own` is of this process. It may have its port
// at any of this machine's addresses.
bool is_same_listener(const std::string& address, const std::string& own);

}  // namespace takt::imr
