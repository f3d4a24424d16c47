// The number of octets received by a TCP socket.
#pragma once

#include <cstdint>

namespace feature {

// Since it was opened; 0: not a TCP socket.
std::uint64_t octets_received(int socket);

}  // namespace feature
