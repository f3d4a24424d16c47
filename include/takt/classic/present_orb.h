// The ORB of programs that name none, as those for omniORB, which has only one. C++14.
#pragma once

#include <takt/classic/orb.h>

namespace takt {
namespace classic {

// The one that the program has made last, of those that it still refers to; release it. BAD_INV_ORDER if
// there is none.
CORBA::ORB_ptr present_orb();

// Gives all ORBs of the process one more initial reference. `find` is called whenever it is resolved, in any
// thread, and returns a reference of the caller's. The name is not copied. Call it before any ORB is made.
typedef CORBA::Object_ptr (*FindInitial)(CORBA::ORB_ptr orb);
void provide_initial_reference(const char* name, FindInitial find);

}  // namespace classic
}  // namespace takt
