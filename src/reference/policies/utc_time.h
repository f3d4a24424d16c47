// Conversion between absolute wire times and the steady clock.
#pragma once

#include <chrono>

#include "giop/contexts/invocation_policies.h"

namespace takt::reference {

// Both use the system clock's current reading. A time in the past becomes now, and one beyond the steady
// clock's range its last moment.
std::chrono::steady_clock::time_point moment_of(giop::UtcTime utc);
giop::UtcTime utc_of(std::chrono::steady_clock::time_point moment);

}  // namespace takt::reference
