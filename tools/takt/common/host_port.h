// Addresses as text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace takt::command {

struct HostPort {
  std::string_view host;  // without the brackets of IPv6 addresses
  std::uint16_t port = 0;
};

// The parts of "192.0.2.1:80" or "[2001:db8::1]:80"; empty if there is no host, or no port of 16 bits.
inline std::optional<HostPort> host_port_in(std::string_view text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return std::nullopt;
  HostPort parts{text.substr(0, colon)};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data() + colon + 1, end, parts.port);
  if (error != std::errc() || at != end) return std::nullopt;
  if (parts.host.size() >= 2 && parts.host.front() == '[' && parts.host.back() == ']')
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  return parts;
}

}  // namespace takt::command
