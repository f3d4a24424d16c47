#include "record/ends.h"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "common/host_port.h"
#include "os/net/address.h"

namespace takt::command {
namespace {

std::optional<os::Address> parse(std::string_view text) {
  const auto parts = host_port_in(text);
  if (!parts) return std::nullopt;
  return os::Address::parse(parts->host.substr(0, parts->host.find('%')), parts->port);
}

IpEnd end_of(const os::Address& address) {
  IpEnd end;
  end.port = address.port();
  if (address.family() == os::Address::Family::v4)
    std::memcpy(end.octets.data(), &reinterpret_cast<const sockaddr_in*>(address.data())->sin_addr, 4);
  else
    std::memcpy(end.octets.data(), &reinterpret_cast<const sockaddr_in6*>(address.data())->sin6_addr, 16);
  return end;
}

// "tcp 192.0.2.1:80 -> 192.0.2.2:5000 and more"
std::optional<Ends> described(std::string_view text) {
  constexpr std::string_view arrow = " -> ";
  const auto at = text.find(arrow);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at), after = text.substr(at + arrow.size());
  const auto own = parse(before.substr(before.rfind(' ') + 1));
  const auto peer = parse(after.substr(0, after.find(' ')));
  if (!own || !peer || own->family() != peer->family()) return std::nullopt;
  return Ends{own->family() == os::Address::Family::v6, end_of(*own), end_of(*peer)};
}

}  // namespace

Ends ends_of(const std::string& description, std::uint32_t number, bool is_accepted) {
  if (const auto ends = described(description)) return *ends;
  constexpr std::uint16_t called_port = 2809, first_port = 49152;
  constexpr std::uint32_t ports = 16384;
  const std::uint32_t row = number / ports;
  IpEnd caller{{127, static_cast<std::uint8_t>(1 + (row >> 16)), static_cast<std::uint8_t>(row >> 8),
                static_cast<std::uint8_t>(row)},
               static_cast<std::uint16_t>(first_port + number % ports)};
  IpEnd called{{127, 0, 0, 2}, called_port};
  if (is_accepted) std::swap(caller, called);
  return {false, caller, called};
}

}  // namespace takt::command
