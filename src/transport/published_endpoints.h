// From where a server listens to what its references say.
#pragma once

#include <vector>

#include <takt/transport/endpoint.h>

#include "os/net/address.h"

namespace takt::transport {

// The endpoints under which clients reach a listener bound to `bound`: itself, or, for a wildcard, one for
// each address of this machine in the families it covers, and the loopback address if there is no other.
// Never a wildcard, never empty. Asks the system; not for the request path.
std::vector<Endpoint> published_endpoints(const Endpoint& bound);
// The same on a machine that has the addresses `local`.
std::vector<Endpoint> published_endpoints(const Endpoint& bound, const os::AddressList& local);

}  // namespace takt::transport
