// How old the data at the end of a cause-effect chain are, and how long a reaction takes.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// Bounds for all chains of the repository. Each operation reads the value of the one before it when it
// begins, and writes its own when it ends; it is released in each period, with at most its jitter. The bounds
// are those of Davare et al. 2007 for any clocks: a period and a response for each operation. Two steps are
// shorter, in the manner of Dürr et al. 2019:
//
// - An operation that a one-way call of the one before starts reads the value at once.
// - With fixed priorities, a more urgent producer on the same processor, without jitter and declared
//   blocking, is done when the consumer begins, so that its response does not count.
//
// The error names an operation that begins no thread, several threads, or one that a caller waits for.
std::expected<std::vector<ChainResult>, GraphFault> analyse_chains(const Repository& repository,
                                                                   const Analysis& analysis);

}  // namespace takt::scheduling
