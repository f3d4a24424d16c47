// The calling thread's quality in wire form.
#pragma once

#include <chrono>

#include "giop/contexts/quality.h"

namespace takt::reference {

// The quality for the thread's requests, with the times that remain until `deadline` and until the upcall
// must have begun.
giop::WireQuality quality_to_send(std::chrono::steady_clock::time_point deadline,
                                  std::chrono::steady_clock::time_point begin_by);

}  // namespace takt::reference
