// Finds fixed priorities that meet every deadline.
#pragma once

#include <array>
#include <expected>
#include <span>
#include <string_view>
#include <vector>

#include "schedulability/model/declaration.h"

namespace takt::scheduling {

enum class Assignment {
  deadline_monotonic,  // shorter deadlines first
  // Finds priorities if any exist, on each processor for itself (Audsley 1991): the lowest level goes to a
  // thread that meets its deadline there, the next one to another, and so on. Applies to threads that do not
  // release or wait for each other.
  audsley,
  // A heuristic for chains of threads over processors (Gutiérrez García and González Harbour 1995): shares
  // each deadline among the threads of its chain, orders by the shares, and moves time to where responses
  // exceed them.
  hopa
};
inline constexpr std::array<std::string_view, 3> assignment_names = {"deadline-monotonic", "audsley", "hopa"};

enum class AssignmentError {
  unusable,        // the operations cannot be analysed
  not_applicable,  // audsley: threads release or wait for each other
  infeasible,      // audsley: no priorities are proven to meet every deadline
  no_priority,     // an operation that has to stay above the others declares no priority
  too_complex
};
using AssignmentFault = Fault<AssignmentError>;

// Priorities for Strategy::declared_priorities, by handle: 0 for an operation at which no thread begins, or
// for which a caller waits. On each processor they are 1, 2 and so on; larger numbers are more urgent. Only
// audsley's are known to meet every deadline: analyse the others.
//
// Threads that begin at the operations `above` are more urgent than all others on their processors, in the
// order of their declared priorities: interrupts, for example.
std::expected<std::vector<std::int32_t>, AssignmentFault> assign(const Repository& repository,
                                                                 Assignment method,
                                                                 std::span<const Handle> above = {});

// The priorities as declarations with nothing else.
std::vector<Declaration> priority_declarations(const Repository& repository,
                                               const std::vector<std::int32_t>& priorities);
// The operations with these priorities instead of their own.
Repository with_priorities(const Repository& repository, const std::vector<std::int32_t>& priorities);

}  // namespace takt::scheduling
