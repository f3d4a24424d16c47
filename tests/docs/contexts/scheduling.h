// C++23
// IDL: examples/avionics/avionics.idl --schedule
// IDL: idl/RT_Scheduler.idl
#pragma once

#include "plain.h"

#include <optional>

#include <scheduling/live/live_schedule.h>
#include <scheduling/service/admitted_client.h>
#include <scheduling/service/registration.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include "avionicsS.h"
#include "avionics_schedule.h"

// Stands in for what `takt schedule table` generates, under the names that the page gives it.
namespace avionics {
std::vector<takt::rt::ScheduledOperation> scheduled_operations();
}
namespace avionics_table {
using avionics_schedule::operations;
std::uint64_t declaration_of(std::string_view name);
}  // namespace avionics_table

using takt::scheduling::AdmittedClient;
using takt::scheduling::LiveSchedule;
using takt::scheduling::target_of;
inline IDL::traits<takt::rt::RunTimeScheduler>::ref_type run_time_scheduler;
inline IDL::traits<RT_Scheduler::Scheduler>::ref_type scheduler;
inline IDL::traits<RT_Scheduler::Admission>::ref_type admission;
inline RT_Scheduler::Operation_Needs_Set needs;
inline IDL::traits<RTCORBA::Current>::ref_type current;
inline std::vector<takt::scheduling::Declaration> own, frames, landing;
inline bool configuring;
