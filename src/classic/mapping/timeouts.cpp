#include <takt/classic/present_orb.h>
#include <takt/classic/timeouts.h>

#include <takt/classic/system_exceptions.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/timeouts_bridge.h"
#include "classic/mapping/asked.h"

namespace takt {
namespace classic {

CORBA::ORB_ptr present_orb() {
  OrbHandle* const orb = timeouts::present_orb();
  if (!orb)
    raise_system("IDL:omg.org/CORBA/BAD_INV_ORDER:1.0", 0, CORBA::COMPLETED_NO, "call ORB_init() before");
  return CORBA::ORB::_takt_make(orb);
}

void set_call_timeout(CORBA::ULong milliseconds) { timeouts::set_for_all(milliseconds); }
void set_call_timeout(CORBA::Object_ptr object, CORBA::ULong milliseconds) {
  if (CORBA::is_nil(object)) raise_nil();
  timeouts::set_for(asked(*object), milliseconds);
}
void set_thread_call_timeout(CORBA::ULong milliseconds) {
  if (!timeouts::set_for_thread(milliseconds))
    raise_system("IDL:omg.org/CORBA/INITIALIZE:1.0", 0, CORBA::COMPLETED_NO, "call ORB_init() before");
}
void set_connect_timeout(CORBA::ULong milliseconds) { timeouts::set_for_connecting(milliseconds); }

}  // namespace classic
}  // namespace takt
