// The dependency graph of operations.
#pragma once

#include <expected>
#include <vector>

#include "schedulability/model/repository.h"

namespace takt::scheduling {

enum class GraphError {
  cycle,          // operations depend on each other in a circle; the text lists it
  no_rate,        // no period, and none implied by its callers or callees
  time_overflow,  // the execution or blocking time of a thread exceeds longest_time
  rate,           // an operation with a rate of its own is called one way more often than that
  transaction,    // operations of a transaction differ in period or phase, or are called by others
  reservation,    // a reservation that is unknown, on another processor, or beyond its processor's time
  chain,          // an operation of a chain begins no thread of its own, or several
  burst,          // a thread with bursts waits for another processor, or others call its operation
  sharing,        // a lock or lane of several processors, or a lane that cannot be analysed
  too_complex     // more threads than can be analysed
};
using GraphFault = Fault<GraphError>;

// All operations, callers before callees; by handle where that leaves a choice.
std::expected<std::vector<Handle>, GraphFault> callers_first(const Repository& repository);

// All operations, callees before callers; more important ones first where that leaves a choice. An operation
// that a more important one depends on counts as equally important. `order` is the result of callers_first().
std::vector<Handle> by_importance(const Repository& repository, const std::vector<Handle>& order);

}  // namespace takt::scheduling
