// What the RT policies of one adapter mean for its references and upcalls.
#pragma once

#include <memory>

#include <takt/reference/policy.h>

#include "adapter/policies/extension.h"
#include "rt/threadpools.h"

namespace takt::rt {

class RealTime;

// Null if the list has no RT policy. InvalidPolicy, with the place in the list, where they do not go together
// (RT-CORBA 1.0, 4.7 to 4.11).
std::shared_ptr<adapter::PoaExtension> make_poa_priorities(std::shared_ptr<RealTime> real_time,
                                                           const Threadpools& pools,
                                                           std::shared_ptr<const Threadpool> default_pool,
                                                           const CORBA::PolicyList& policies);

}  // namespace takt::rt
