// The endpoints of a reference.
#pragma once

#include <cstdint>
#include <vector>

#include <takt/cdr/ior.h>
#include <takt/transport/endpoint.h>
#include <takt/transport/transport.h>

namespace takt::command {

struct ReachableEndpoint {
  std::size_t profile = 0;  // index in the reference
  transport::Endpoint endpoint;
  cdr::Ior only;  // the object at this endpoint only, without a type id, which is asked for separately
};

// The endpoints in profiles of `transports` that other processes can reach: addresses, alternate addresses,
// addresses of lanes and of TLS, paths; each once.
std::vector<ReachableEndpoint> reachable_endpoints(const cdr::Ior& ior,
                                                   const transport::TransportRegistry& transports);

}  // namespace takt::command
