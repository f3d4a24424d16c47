// The transports of Takt that the suite runs over.
#pragma once

#include "suite/transport_suite.h"

namespace takt::transport::tested {

extern const TestedTransport tcp_v4, tcp_v6, unix_path, unix_abstract, shared_memory, in_process, tls_1_3,
    tls_1_2, udp_v4, udp_v6, plugin;

}  // namespace takt::transport::tested
