// The heuristic optimised priority assignment, HOPA.
#pragma once

#include "schedulability/assignment/assignment.h"
#include "schedulability/model/threads.h"

namespace takt::scheduling {

// Never worse than deadline monotonic: begins with it, and returns the best assignment that it has seen, by
// the largest ratio of a response to its deadline. Ends with the first that meets every deadline.
std::vector<std::int32_t> assign_by_hopa(const Repository& repository, std::span<const Thread> threads,
                                         std::span<const std::int32_t> above);

}  // namespace takt::scheduling
