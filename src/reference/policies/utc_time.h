// Absolute times of the wire, on the steady clock.
#pragma once

#include <chrono>

#include "giop/contexts/invocation_policies.h"

namespace takt::reference {

// Both go by what the system's clock says when they are called. A time that has passed is the present one,
// and a time of the steady clock's last years is its last moment.
std::chrono::steady_clock::time_point moment_of(giop::UtcTime utc);
giop::UtcTime utc_of(std::chrono::steady_clock::time_point moment);

}  // namespace takt::reference
