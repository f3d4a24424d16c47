// From operations to the threads that are scheduled.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <vector>

#include "scheduling/model/graph.h"

namespace takt::scheduling {

// Who releases a thread that has no rate of its own: the end of a thread that has called it one-way, or a
// thread that waits for it (two-way, from another processor).
struct Trigger {
  std::size_t thread = 0;
  DependencyType type = DependencyType::one_way;
  std::int64_t calls = 1;  // in a period
};

// What is released once a period and scheduled as a whole.
struct Thread {
  Handle entry = 0;             // where it begins, a terminal node of the graph
  std::vector<Handle> members;  // the operations that it runs, the entry first, callers before callees
  Time execution{0};            // in a period, at worst, with all that it calls on its processor
  Time typical{0};
  Time one_call{0};  // of that, one call; the whole but where a caller waits
  Time period{0}, deadline{0}, phase{0}, jitter{0};
  Time blocking{0};  // of all its operations, each as often as it runs
  std::int32_t processor = 0;
  Criticality criticality = Criticality::medium;  // the entry's
  std::size_t place = 0;  // among threads of equal priority: by dependency, importance, handle
  std::optional<Trigger> trigger;
};

// Who triggers comes before who is triggered.
std::expected<std::vector<Thread>, GraphFault> find_threads(const Repository& repository);

}  // namespace takt::scheduling
