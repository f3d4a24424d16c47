#include <takt/orb/own_transports.h>

#include "transport/inproc/inproc_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/tcp/tcp_transport.h"
#include "transport/udp/udp_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt {

std::unique_ptr<transport::Transport> make_own_transport(std::string_view name) {
  if (name == "iiop") return std::make_unique<transport::TcpTransport>();
  if (name == "unix") return std::make_unique<transport::UdsTransport>();
  if (name == "shm") return std::make_unique<transport::ShmTransport>();
  if (name == "inproc") return std::make_unique<transport::InprocTransport>();
  if (name == "udp") return std::make_unique<transport::UdpTransport>();
  return nullptr;
}

}  // namespace takt
