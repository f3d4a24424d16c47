// Whether the object of a call is in the caller's ORB.
#pragma once

#include <takt/reference/object.h>

namespace takt::invocation {

// Whether the reference names an object of its own ORB, so that call_local() may make its calls. Any thread;
// neither blocks nor allocates.
bool is_local(const CORBA::Object& target);

}  // namespace takt::invocation
