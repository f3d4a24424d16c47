// Addresses of servers.
#pragma once

#include <cstdint>
#include <string>

namespace takt::transport {

// A value. `protocol` is the name of the transport: "iiop" is TCP, "unix" is UNIX-domain sockets.
struct Endpoint {
  std::string protocol = "iiop";
  // For TCP a host name or a number, IPv6 without brackets; for UNIX a path, or "@name" in the abstract
  // namespace.
  std::string host;
  std::uint16_t port = 0;  // 0 if the transport has no ports

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// "iiop host:port", "iiop [2001:db8::1]:port", "unix /path", "unix @name"
std::string to_text(const Endpoint& endpoint);
// The same without the protocol.
std::string address_text(const Endpoint& endpoint);

}  // namespace takt::transport
