// How a call names its object to a server that does not take the object key.
#pragma once

#include <takt/invocation/client_call.h>

#include <cstdint>

#include "giop/message/request.h"

namespace takt::invocation {

// A server may reject a key and ask for the profile or the whole reference (NEEDS_ADDRESSING_MODE).
struct ClientCall::Readdressed {
  giop::PreparedTarget target;
  std::uint64_t route;  // the serial of the route's own target; the form is for requests by this route alone
};

}  // namespace takt::invocation
