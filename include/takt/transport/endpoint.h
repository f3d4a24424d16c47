// Where a server can be reached.
#pragma once

#include <cstdint>
#include <string>

namespace takt::transport {

// A value. `protocol` is the name of the transport that carries it: "iiop" is TCP, "unix" UNIX-domain
// sockets.
struct Endpoint {
  std::string protocol = "iiop";
  // Of TCP: a name or a number; IPv6 without brackets. Of UNIX: a path, or "@name" in the abstract space.
  std::string host;
  std::uint16_t port = 0;  // 0 where the transport has none

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// "iiop host:port", "iiop [2001:db8::1]:port", "unix /path", "unix @name"
std::string to_text(const Endpoint& endpoint);

}  // namespace takt::transport
