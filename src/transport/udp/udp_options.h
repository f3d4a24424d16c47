// How connections over UDP send, and repeat what may be lost.
#pragma once

#include <chrono>
#include <cstddef>

namespace takt::transport {

struct DatagramLimits {
  std::size_t datagram_bytes = 1208;     // of the stream, in one datagram
  std::size_t window_bytes = 64 * 1024;  // sent and not acknowledged; at least a datagram's
};

struct UdpOptions {
  DatagramLimits limits;
  // After so much silence what the peer may lack is sent again; then after twice as much, and so on.
  std::chrono::nanoseconds repeat_after = std::chrono::milliseconds(20);
  // After so much silence a server sends a welcome again, which a client ignores: one that blocks in a read
  // does so by itself, another when it is asked to. Where the client was killed, its host answers that the
  // port is closed, and the next read fails.
  std::chrono::nanoseconds probe_after = std::chrono::seconds(15);
};

}  // namespace takt::transport
