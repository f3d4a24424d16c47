// Applies an adapter's RT policies to its references and upcalls.
#pragma once

#include <memory>

#include <takt/reference/policy.h>

#include "adapter/policies/extension.h"

namespace takt::rt {

class OrbThreadpools;
class ThreadPriorities;

// Null if the list has no RT policy. Throws InvalidPolicy, with the index in the list, for an inconsistent
// combination (RT-CORBA 1.0, 4.7 to 4.11).
std::shared_ptr<adapter::PoaExtension> make_poa_priorities(std::shared_ptr<ThreadPriorities> priorities,
                                                           OrbThreadpools& pools,
                                                           const CORBA::PolicyList& policies);

}  // namespace takt::rt
