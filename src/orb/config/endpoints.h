// Endpoints as users write them.
#pragma once

#include <string_view>

#include <takt/transport/transport.h>

namespace takt::orb {

// "iiop://host:port", "iiop://[::1]:2809", "iiop://:2809"; the protocol may be left out, and the port, which
// is then 0. "unix:/path", "unix:@name"; and what other transports make of what follows their names.
// BAD_PARAM, naming `option` if there is one, for anything else.
transport::Endpoint endpoint_from_text(std::string_view text, std::string_view option,
                                       const transport::TransportRegistry& transports);

}  // namespace takt::orb
