#include "transport/published_endpoints.h"

#include "os/net/local_addresses.h"
#include "transport/internet_endpoints.h"

namespace takt::transport {

std::vector<Endpoint> published_endpoints(const Endpoint& bound) {
  const bool definite = internet_endpoints::is_definite(bound);  // finding the addresses takes system calls
  return published_endpoints(bound, definite ? os::AddressList() : os::local_addresses());
}

[[gnu::cold]] std::vector<Endpoint> published_endpoints(const Endpoint& bound, const os::AddressList& local) {
  const std::string host = bound.host.empty() ? "::" : bound.host;
  const auto address = os::Address::parse(host, bound.port);
  if (!address || !address->is_wildcard()) return {bound};
  const bool only_v4 = address->family() == os::Address::Family::v4;
  std::vector<Endpoint> endpoints;
  for (const os::Address& each : local)
    if (!only_v4 || each.family() == os::Address::Family::v4)
      endpoints.push_back({bound.protocol, each.host_text(), bound.port});
  if (endpoints.empty()) {
    const auto loopback = os::Address::loopback(os::Address::Family::v4, bound.port);
    endpoints.push_back({bound.protocol, loopback.host_text(), bound.port});
  }
  return endpoints;
}

}  // namespace takt::transport
