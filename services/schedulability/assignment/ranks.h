// Numbers for threads that have been ordered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedulability/model/priorities.h"

namespace takt::scheduling {

// Priorities by handle, of `operations` in all. On each processor, threads with smaller keys are more urgent;
// threads that begin at one operation share the smallest of their keys. Those with a number in `above`, which
// is by handle, are more urgent than those with 0; larger numbers go first.
std::vector<std::int32_t> ranked(std::span<const Thread> threads, std::span<const double> keys,
                                 std::span<const std::int32_t> above);

}  // namespace takt::scheduling
