// The ORB of programs that name none, as those for omniORB, which has only one. C++14.
#pragma once

#include <takt/classic/orb.h>

namespace takt {
namespace classic {

// The one that the program has made last, of those that it still refers to; release it. BAD_INV_ORDER if
// there is none.
CORBA::ORB_ptr present_orb();

// An initial reference that all ORBs of the process have beside those of the runtime: `find` makes it when it
// is asked for, in any thread, and returns a reference of the caller's. The name is kept as it is. Call it
// before any ORB is made; there is one such reference.
typedef CORBA::Object_ptr (*FindInitial)(CORBA::ORB_ptr orb);
void provide_initial_reference(const char* name, FindInitial find);

}  // namespace classic
}  // namespace takt
