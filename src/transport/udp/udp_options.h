// Options of connections over UDP.
#pragma once

#include <chrono>
#include <cstddef>

namespace takt::transport {

struct DatagramLimits {
  std::size_t datagram_bytes = 1208;     // stream octets per datagram
  std::size_t window_bytes = 64 * 1024;  // limit of unacknowledged octets; at least datagram_bytes
};

struct UdpOptions {
  DatagramLimits limits;
  // Silence after which unacknowledged octets are repeated. Each time the silence is twice as long, but the
  // interval is at most longest_repeat, because only a datagram of its own shows a client that its server is
  // gone.
  std::chrono::nanoseconds repeat_after = std::chrono::milliseconds(20);
  std::chrono::nanoseconds longest_repeat = std::chrono::seconds(1);  // no less than repeat_after
  // Silence after which a server repeats its welcome, which the client ignores. A stream that blocks in a
  // read does so by itself, others in probe_silent_peer(). If the client was killed, its host reports a
  // closed port, and the next read fails.
  std::chrono::nanoseconds probe_after = std::chrono::seconds(15);
};

}  // namespace takt::transport
