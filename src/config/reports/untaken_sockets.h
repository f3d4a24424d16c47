// Warnings of sockets that a service manager has opened in vain: systemd's socket activation.
#pragma once

#include "config/reports/warnings.h"

namespace takt::orb {

// One for each passed socket that no endpoint of this process has taken. Clients wait in it for ever. Call it
// when the ORB listens.
void warn_of_untaken_sockets(const Warnings& warnings);

}  // namespace takt::orb
