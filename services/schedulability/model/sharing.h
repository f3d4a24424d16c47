// Locks and lanes that threads share, and bursts: what the analysis understands of them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "schedulability/model/threads.h"

namespace takt::scheduling {

// The locks of a thread's operations, by name, each once with the longest time.
std::vector<LockUse> locks_of(const Repository& repository, std::span<const Handle> members);

// Refuses sharing that the analysis does not understand: a lock or lane of threads on several processors, a
// lane whose thread waits for another processor, and an operation with a lane that another lane serves.
std::optional<GraphFault> check_sharing(const Repository& repository, std::span<const Thread> threads);

// Refuses reservations that are unknown, on other processors than their operations, or of more time than
// their processors have; and operations of a reservation that take locks, or whose lane has its name.
std::optional<GraphFault> check_reservations(const Repository& repository, std::span<const Thread> threads);

// Refuses bursts of threads that wait for another processor, and of operations that others call.
std::optional<GraphFault> check_bursts(const Repository& repository, std::span<const Thread> threads);

}  // namespace takt::scheduling
