// A configuration run: an application registers the declarations of its IDL with the Scheduling Service.
#pragma once

#include <span>

#include <takt/rt/declared_operation.h>

#include "RT_SchedulerC.h"

namespace takt::scheduling {

// Registers all operations and the calls between them. An interrupted run, or one with changed declarations,
// can be repeated: registered operations are set again. Operations of other applications that are called but
// not registered yet are created; those applications set them.
//
// Each call blocks up to the ORB's timeouts. Throws the service's exceptions UNKNOWN_TASK and
// BAD_REQUIREMENTS. Also throws BAD_REQUIREMENTS, with a reason that names the operation, for an earlier call
// that cannot be removed and for a period that RT_Scheduler cannot express. Throws CORBA system exceptions,
// after which the run can be repeated.
void register_operations(RT_Scheduler::Scheduler& scheduler,
                         std::span<const takt::rt::DeclaredOperation> operations);

}  // namespace takt::scheduling
