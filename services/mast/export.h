// Schedules as models of MAST.
#pragma once

#include <expected>
#include <string>

#include "mast/import.h"
#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// Each thread becomes an activity with an operation and a server of its own, which has the thread's priority.
// A thread that others are released by is followed by them in its transaction, and locks become shared
// resources. import_mast() reads the model with the same results. The error is readable text. It names an
// operation with something that is not exported: a blocking time, a lane, a transaction's offset, a burst
// with distance, jitter or phase, or a call on another processor that it waits for; a chain; or the strategy
// if it is dynamic.
std::expected<std::string, std::string> export_mast(const Repository& repository, const Analysis& analysis,
                                                    const MastOptions& options = {});

// "1.5" for 1500 ns in microseconds: exact.
std::string mast_number(Time time, Time unit);

}  // namespace takt::scheduling
