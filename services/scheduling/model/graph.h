// The graph of who depends on whom.
#pragma once

#include <expected>
#include <vector>

#include "scheduling/model/repository.h"

namespace takt::scheduling {

enum class GraphError {
  cycle,          // operations that depend on each other in a circle; the text prints it
  no_rate,        // no period, nor one implied by what depends on it or what it depends on
  time_overflow,  // a thread's execution or blocking time goes over longest_time
  too_complex     // more threads than are analysed
};
using GraphFault = Fault<GraphError>;

// Every operation once, each before those that it depends on. By handle where that leaves a choice.
std::expected<std::vector<Handle>, GraphFault> callers_first(const Repository& repository);

// Every operation once, each after those that it depends on; where that leaves a choice, the more important
// first, and what a more important one waits for counts as that important. `order` is callers_first().
std::vector<Handle> by_importance(const Repository& repository, const std::vector<Handle>& order);

}  // namespace takt::scheduling
