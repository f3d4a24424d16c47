// The transport TLS as the options want it.
#pragma once

#include <memory>

#include "connection/orb_core.h"
#include "orb/config/settings.h"
#include "transport/tls/tls_transport.h"

namespace takt::orb {

connection::TlsUse tls_use(const Settings& settings);
// INITIALIZE where a file that the options name will not do.
std::unique_ptr<transport::TlsTransport> make_tls(const Settings& settings);
// NO_PERMISSION then, and all stays as it was.
void reload_certificates(const connection::OrbCore& core);

}  // namespace takt::orb
