// The quality of the calling thread, for the wire.
#pragma once

#include <chrono>

#include "giop/contexts/quality.h"

namespace takt::reference {

// What its requests say, with what remains until the deadline.
giop::WireQuality quality_to_send(std::chrono::steady_clock::time_point deadline);

}  // namespace takt::reference
