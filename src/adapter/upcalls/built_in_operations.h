// The operations of every object, for remote callers (CORBA 3.0.3, 15.4.2.2 and 4.3).
#pragma once

#include <takt/adapter/servant.h>
#include <takt/server/server_call.h>

namespace takt::adapter {

// Answers operations that the skeleton does not have. Answers BAD_OPERATION (OMG minor 2) if the operation is
// unknown. Passes on the servant's exceptions.
void run_built_in(server::ServerCall& call, PortableServer::Servant& servant);
// The same for a caller in this process; `arguments` is a reference::BuiltInCall. False, without any effect,
// for other operations. Exceptions are those of run_built_in()'s answers.
[[gnu::cold]] bool run_built_in_here(const OperationId& operation, void* arguments,
                                     PortableServer::Servant& servant);

}  // namespace takt::adapter
