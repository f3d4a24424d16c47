// Adds what asynchronous calls imply: reply handlers, pollers, and the names of calls (CORBA 3.1, 17.8).
#pragma once

#include "model/diagnostics.h"
#include "model/model.h"

namespace takt::idl {

// For each interface that has @ami or is named by #pragma corba_ami, or for all interfaces if `all`; not for
// local and abstract ones. @ami(FALSE) excludes one. Adds the handler AMI_FooHandler and the abstract value
// AMI_FooPoller beside the interface, Messaging::ReplyHandler, ExceptionHolder and Poller, and an entry of
// Unit::asynchronous.
void add_asynchronous_calls(Unit& unit, Diagnostics& diagnostics, bool all);

}  // namespace takt::idl
