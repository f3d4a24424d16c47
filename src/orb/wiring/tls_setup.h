// What the options say of TLS.
#pragma once

#include "orb/config/settings.h"
#include "reference/references.h"

namespace takt::orb {

reference::TlsUse tls_use(const Settings& settings);
// INITIALIZE where the options ask for TLS in a program that has none.
void refuse_without_tls(const Settings& settings);
// NO_PERMISSION where a file that the options name will not do, and all stays as it was.
void reload_certificates(const reference::References& references);

}  // namespace takt::orb
