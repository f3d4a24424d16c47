// The operations that every object has, for remote callers (CORBA 3.0.3, 15.4.2.2 and 4.3).
#pragma once

#include <takt/adapter/servant.h>
#include <takt/server/server_call.h>

namespace takt::adapter {

// For operations that the skeleton does not know: answers the call; BAD_OPERATION (OMG minor 2) if it is none
// of these either. Throws what the servant throws.
void run_built_in(server::ServerCall& call, PortableServer::Servant& servant);

}  // namespace takt::adapter
