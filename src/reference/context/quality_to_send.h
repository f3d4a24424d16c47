// The calling thread's quality in wire form.
#pragma once

#include <chrono>

#include "giop/contexts/quality.h"

namespace takt::reference {

// The quality for the thread's requests, with the time that remains until `deadline`.
giop::WireQuality quality_to_send(std::chrono::steady_clock::time_point deadline);

}  // namespace takt::reference
