// Bounds of responses that follow from how long a processor can be busy.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedulability/model/checked.h"
#include "schedulability/model/threads.h"

namespace takt::scheduling {

struct BusyLimit {
  std::int64_t response = unbounded;  // from the arrival of the chain
  std::int64_t busy = unbounded;      // how long the processor is busy at most; the rest is jitter
};

// By thread, a bound of its response for every order of jobs; `unbounded` if it has none. A job that is
// started on its processor, and whose whole chain runs there, ends before the processor has nothing to do:
// all that happens until then was released by the arrivals of chains since the processor last had nothing to
// do. Responses as jitter of later threads count the same arrivals again and again.
//
// Processors have no such bounds if one of their threads waits for another processor, is started by another
// one or by a reservation, or takes no time. Subtracts the steps it takes from `steps`.
std::vector<BusyLimit> busy_limits(std::span<const Thread> threads, std::span<const Reservation> reservations,
                                   std::int64_t& steps);

}  // namespace takt::scheduling
