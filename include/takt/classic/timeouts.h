// Limits of calls in milliseconds, without policies: what omniORB's functions of these names do. C++14.
//
// A call has the limit of its reference; if that has none, of the calling thread; if that has none, of all
// calls. 0 removes a limit. After it the call throws TIMEOUT, completed MAYBE if the request was sent. They
// are RELATIVE_RT_TIMEOUT_POLICY_TYPE, which policies of the program's own on the same level replace
// (<takt/classic/messaging.h>). Any thread; no function waits for a peer.
#pragma once

#include <takt/classic/object.h>

namespace takt {
namespace classic {

// All calls, by the ORBs that the program has and those that ORB_init() makes later.
void set_call_timeout(CORBA::ULong milliseconds);
// Calls by this reference and all that were duplicated or narrowed from it; those that have begun keep the
// limit they had. After 256 different limits of one reference, further ones are rounded up by less than 1/64.
// INV_OBJREF for nil.
void set_call_timeout(CORBA::Object_ptr object, CORBA::ULong milliseconds);
// Calls of the calling thread. INITIALIZE if there is no ORB yet.
void set_thread_call_timeout(CORBA::ULong milliseconds);
// Opening of connections, as -ORBConnectTimeout; 0 leaves what it is. An ORB that is made later takes it
// over, too.
void set_connect_timeout(CORBA::ULong milliseconds);

}  // namespace classic
}  // namespace takt
