#include <takt/transport/endpoint.h>

#include "os/net/address.h"

namespace takt::transport {

std::string to_text(const Endpoint& endpoint) {
  if (endpoint.port == 0 && endpoint.protocol != "iiop") return endpoint.protocol + ' ' + endpoint.host;
  return endpoint.protocol + ' ' + os::host_and_port(endpoint.host, endpoint.port);
}

}  // namespace takt::transport
