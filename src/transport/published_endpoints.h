// The endpoints that references publish for a listener's address.
#pragma once

#include <vector>

#include <takt/transport/endpoint.h>

#include "os/net/address.h"

namespace takt::transport {

// The endpoints by which clients reach a listener bound to `bound`. That is `bound` itself or, for a
// wildcard, one for each address of this machine in its families, and the loopback address if there is no
// other. Never a wildcard, never empty. Makes system calls; not for the request path.
std::vector<Endpoint> published_endpoints(const Endpoint& bound);
// The same for a machine with the addresses `local`.
std::vector<Endpoint> published_endpoints(const Endpoint& bound, const os::AddressList& local);

}  // namespace takt::transport
