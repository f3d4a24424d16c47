#include <takt/transport/endpoint.h>

#include "os/net/address.h"

namespace takt::transport {

std::string to_text(const Endpoint& endpoint) { return endpoint.protocol + ' ' + address_text(endpoint); }

std::string address_text(const Endpoint& endpoint) {
  const std::string host = endpoint.host.empty() ? "*" : endpoint.host;
  if (endpoint.port == 0 && endpoint.protocol != "iiop") return host;
  return os::host_and_port(host, endpoint.port);
}

}  // namespace takt::transport
