#include "interceptors/init/pi_current.h"

#include "interceptors/common/slots.h"

namespace takt::interceptors {

void PICurrent::check(PortableInterceptor::SlotId id) const {
  if (orb_->initializing || orb_->slots == 0)
    throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(14), CORBA::COMPLETED_NO,
                               "the ORB has no slots, or its initializers still run");
  orb_->check_slot(id);
}

CORBA::Any PICurrent::get_slot(PortableInterceptor::SlotId id) {
  check(id);
  return slots_of_thread(orb_->serial).get(id);
}

void PICurrent::set_slot(PortableInterceptor::SlotId id, const CORBA::Any& data) {
  check(id);
  slots_of_thread(orb_->serial).set(id, data);
}

}  // namespace takt::interceptors
