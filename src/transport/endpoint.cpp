#include "transport/endpoint.h"

#include "os/address.h"

namespace takt::transport {

std::string to_text(const Endpoint& endpoint) {
  return endpoint.protocol + ' ' + os::host_and_port(endpoint.host, endpoint.port);
}

}  // namespace takt::transport
