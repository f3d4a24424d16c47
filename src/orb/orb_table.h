// The ORBs of this process, by name.
#pragma once

#include <takt/orb/orb.h>

namespace takt::orb {

// Required by the semantics of ORB_init (CORBA 3.0.3, 4.4).
void forget_orb(const CORBA::ORB& orb);

}  // namespace takt::orb
