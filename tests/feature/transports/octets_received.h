// What a socket of TCP has received.
#pragma once

#include <cstdint>

namespace feature {

// Of its whole life; 0: it is none of TCP's.
std::uint64_t octets_received(int socket);

}  // namespace feature
