// Endpoints as users write them.
#pragma once

#include <string>
#include <string_view>

#include <takt/transport/transport.h>

namespace takt::orb {

// Parses "iiop://host:port", "iiop://[::1]:2809" or "iiop://:2809"; the protocol may be omitted, and so may
// the port, which is then 0. Also parses "unix:/path", "unix:@name", and a transport's name with an address
// in its form. Throws BAD_PARAM, which names `option` if that is not empty, for anything else.
transport::Endpoint endpoint_from_text(std::string_view text, std::string_view option,
                                       const transport::TransportRegistry& transports);

// An endpoint of ListenEndpoints without ?publish= and what stands behind it.
std::string_view without_publish(std::string_view text);
// Whether the host is localhost or a loopback address, which other machines do not reach.
bool is_within_machine(const std::string& host);
// Throws BAD_PARAM.
[[noreturn]] void refuse_endpoint(std::string_view text, std::string_view option, const std::string& why);

}  // namespace takt::orb
