// Where a reference leads, as far as an import must know.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace takt::naming {

// Of the first profile of IIOP.
struct IorAddress {
  std::string host;
  std::uint16_t port = 0;
  std::string key;
};

// `octets`: an IOR as an encapsulation. Nothing if it does not hold together; an address without a host if
// it has no such profile.
std::optional<IorAddress> address_in(std::string_view octets);

}  // namespace takt::naming
