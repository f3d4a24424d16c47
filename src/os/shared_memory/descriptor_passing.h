// Passes a descriptor to the process at the other end of a UNIX-domain socket.
#pragma once

#include <expected>

#include <takt/base/bytes.h>

#include "os/net/socket.h"
#include "os/shared_memory/shared_region.h"

namespace takt::os {

// None of these waits; they fail with EAGAIN instead. Errors are errno values.

// Sends all octets in one piece, with a copy of the descriptor. Returns 0 or an error.
int send_with_descriptor(Socket& socket, ByteView octets, int descriptor);

struct ReceivedDescriptor {
  std::size_t bytes = 0;  // 0: the peer has closed
  Descriptor descriptor;  // close-on-exec; not open if none came or this process has no room for one
};
// Receives at most one descriptor; the system closes further ones.
std::expected<ReceivedDescriptor, int> receive_with_descriptor(Socket& socket, MutableBytes into);

}  // namespace takt::os
