// Endpoints to listen at, as users write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <takt/transport/transport.h>

namespace takt::orb {

// Where a server listens, and what references to its objects contain of it.
struct ListenPlace {
  transport::Endpoint endpoint;
  std::uint16_t last_port = 0;  // the last of a range that begins with the endpoint's; 0: no range
  bool published = true;
  std::string published_host{};  // empty: that of the endpoint
};

// Parses an endpoint, of which the port may be a range, FIRST-LAST, with ?publish=HOST or ?publish=none
// behind it. Throws BAD_PARAM as endpoint_from_text().
ListenPlace listen_place_from_text(std::string_view text, std::string_view option,
                                   const transport::TransportRegistry& transports);

}  // namespace takt::orb
