// The two ends of a recorded connection, as addresses of the Internet protocol.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace takt::command {

struct IpEnd {
  std::array<std::uint8_t, 16> octets{};  // the first four of an IPv4 address
  std::uint16_t port = 0;
  friend bool operator==(const IpEnd&, const IpEnd&) = default;
};

struct Ends {
  bool is_v6 = false;
  IpEnd own, peer;
};

// From the description of the connection. Where it has no addresses of the Internet protocol, each number
// gets ends of its own below 127.1.0.0, and the end that was called has port 2809.
Ends ends_of(const std::string& description, std::uint32_t number, bool is_accepted);

}  // namespace takt::command
