// A schedule for the run-time scheduler of an ORB.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "scheduling/analysis/analysis.h"

namespace takt::scheduling {

// A header with the function scheduled_operations(), for takt::rt::RunTimeScheduler::install(); in the
// namespace `name`, as priority_table() has accepted it, to be called NAME_run_time.h. `infos` is what
// compute_scheduling() has made of `analysis`. Where a priority is none of RT-CORBA's (0 to 32,767), the
// header is an error that says so to whoever includes it.
//
// An operation at which a thread begins has the thread's execution time, of one call with all that it calls
// on its processor, and if it has a rate its period and deadline. The others run within their callers'
// budgets and have none of their own.
std::string run_time_table(std::span<const RtInfo> infos, const Analysis& analysis, std::string_view name);

}  // namespace takt::scheduling
