// Generates a schedule for an ORB's run-time scheduler.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "schedulability/analysis/analysis.h"

namespace takt::scheduling {

// A header NAME_run_time.h with the function scheduled_operations(), for
// takt::rt::RunTimeScheduler::install(), in namespace `name`, which priority_table() has accepted. `infos` is
// the result of compute_scheduling() for `analysis`. If a priority is outside RT-CORBA's range (0 to 32,767),
// the header contains an #error.
//
// An operation at which a thread begins has the thread's execution time, of one call with all calls on its
// processor, and its period and deadline if it has a rate. Other operations run within their callers' budgets
// and have none of their own.
std::string run_time_table(std::span<const RtInfo> infos, const Analysis& analysis, std::string_view name);

}  // namespace takt::scheduling
