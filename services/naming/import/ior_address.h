// The address and key in an object reference, as far as an import needs them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::naming {

// From the first IIOP profile.
struct IorAddress {
  std::string host;
  std::uint16_t port = 0;
  std::string key;
};

// `octets`: an IOR as an encapsulation. Empty if it is malformed; an address without a host if it has no IIOP
// profile.
std::optional<IorAddress> address_in(std::string_view octets);

}  // namespace takt::naming
