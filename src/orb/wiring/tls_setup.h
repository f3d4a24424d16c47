// The TLS settings from the options.
#pragma once

#include "config/settings.h"
#include "reference/references.h"

namespace takt::orb {

reference::TlsUse tls_use(const Settings& settings);
// Throws INITIALIZE if the options need TLS and the program has none.
void refuse_without_tls(const Settings& settings);
// Throws NO_PERMISSION if a file named by the options is invalid; then nothing changes.
void reload_certificates(const reference::References& references);

}  // namespace takt::orb
