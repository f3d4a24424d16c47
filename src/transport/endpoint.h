// Where a server can be reached.
#pragma once

#include <cstdint>
#include <string>

namespace takt::transport {

// A value. `protocol` says which transport carries it: "iiop" is TCP.
struct Endpoint {
  std::string protocol = "iiop";
  std::string host;  // a name or a number; IPv6 without brackets
  std::uint16_t port = 0;

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

// "iiop host:port", "iiop [2001:db8::1]:port"
std::string to_text(const Endpoint& endpoint);

}  // namespace takt::transport
