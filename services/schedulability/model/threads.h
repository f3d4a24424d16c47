// Finds the threads to schedule from the operations.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "schedulability/model/graph.h"

namespace takt::scheduling {

// The thread that releases a thread without a rate of its own: a thread that calls it one-way, when that
// ends, or a thread on another processor that waits for it (two-way).
struct Trigger {
  std::size_t thread = 0;
  DependencyType type = DependencyType::one_way;
  std::int64_t calls = 1;  // per period
};

// Work that is released once per period and scheduled as a unit. It is large because each figure that an
// analysis uses is a member.
struct Thread {
  Handle entry = 0;             // the operation at which it begins: a terminal node of the graph
  std::vector<Handle> members;  // the operations that it runs, entry first, callers before callees
  Time execution{0};            // worst case per period, with all calls on its processor
  Time typical{0};
  Time one_call{0};  // execution time of one call; differs from `execution` only where a caller waits
  // How many such threads there are at the same time: those of its operation, or the one-way calls that start
  // it together. For a call with a waiting caller: the call itself and all calls that its caller's other
  // threads make in a period.
  std::int64_t at_once = 1;
  Time period{0}, deadline{0}, phase{0}, jitter{0};
  Time blocking{0};  // sum over its operations, each as often as it runs
  std::int32_t processor = 0;
  Criticality criticality = Criticality::medium;  // the entry's
  std::size_t place = 0;  // rank among threads of equal priority: by dependency, importance, handle
  std::optional<Trigger> trigger;
  // The number of its transaction, from 1; 0: none. A thread with a trigger has those of the first of its
  // chain. `phase` includes the offset.
  std::size_t transaction = 0;
  Time offset{0};
  // Jobs of a burst, one each `distance`; of a thread with a trigger, those of the first of its chain.
  std::int32_t burst = 1;
  Time distance{0};
  std::vector<LockUse> locks;   // each lock of its operations with the longest time; by name
  std::string lane;             // the entry's; the reservation's name if it has one
  std::size_t reservation = 0;  // the number of its reservation in the repository, from 1; 0: none
};

// Whether a caller waits for its jobs.
inline bool is_call(const Thread& thread) {
  return thread.trigger && thread.trigger->type == DependencyType::two_way;
}
// The execution time of one job; for a call that a caller waits for, of one call.
inline Time job_time(const Thread& thread) {
  return is_call(thread) ? thread.one_call : thread.execution / thread.burst;
}

// The thread that begins the chain of thread `i`.
inline const Thread& released_first(std::span<const Thread> threads, std::size_t i) {
  while (threads[i].trigger) i = threads[i].trigger->thread;
  return threads[i];
}

// Triggering threads come before those that they trigger.
std::expected<std::vector<Thread>, GraphFault> find_threads(const Repository& repository);

}  // namespace takt::scheduling
