// Transports within a machine.
#include "orb/parts/parts.h"
#include "transport/inproc/inproc_transport.h"
#include "transport/shm/shm_transport.h"
#include "transport/uds/uds_transport.h"

namespace takt {

namespace {

template <class Transport>
void add_local(transport::TransportRegistry& transports, const orb::Settings&) {
  transports.add(std::make_unique<Transport>());
}

}  // namespace

void add_unix_domain(Parts& parts) { parts.transports.push_back(add_local<transport::UdsTransport>); }
void add_shared_memory(Parts& parts) { parts.transports.push_back(add_local<transport::ShmTransport>); }
void add_in_process(Parts& parts) { parts.transports.push_back(add_local<transport::InprocTransport>); }

}  // namespace takt
