// The ORB of programs that name none, as those for omniORB, which has only one. C++14.
#pragma once

#include <takt/classic/orb.h>

namespace takt {
namespace classic {

// The one that the program has made last, of those that it still refers to; release it. BAD_INV_ORDER if
// there is none.
CORBA::ORB_ptr present_orb();

}  // namespace classic
}  // namespace takt
