// How a call names its object to a server that does not take the object key.
#pragma once

#include <takt/invocation/client_call.h>

#include "giop/message/request.h"

namespace takt::invocation {

// A server may reject a key and ask for the profile or the whole reference (NEEDS_ADDRESSING_MODE).
struct ClientCall::Readdressed {
  giop::PreparedTarget target;
};

}  // namespace takt::invocation
