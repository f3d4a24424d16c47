// A configuration run: an application tells the Scheduling Service what its IDL declares.
#pragma once

#include <span>

#include <takt/rt/declared_operation.h>

#include "RT_SchedulerC.h"

namespace takt::scheduling {

// Registers all of the operations, and that they call each other. A run that was cut short, or comes again
// with other declarations, is repeated: what is registered already is set anew. Operations of other
// applications that are called and not registered yet are created, for those to set.
//
// Blocks for each of its calls as long as the ORB's timeouts say. Throws what the service does: UNKNOWN_TASK,
// BAD_REQUIREMENTS, and for a call that was registered otherwise and cannot be taken back, or a period that
// RT_Scheduler has no number for, BAD_REQUIREMENTS too, whose reason names the operation; and CORBA's system
// exceptions, after which the run can be repeated.
void register_operations(RT_Scheduler::Scheduler& scheduler,
                         std::span<const takt::rt::DeclaredOperation> operations);

}  // namespace takt::scheduling
