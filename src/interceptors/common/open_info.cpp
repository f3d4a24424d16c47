#include "interceptors/common/open_info.h"

#include <takt/cdr/exception.h>

namespace takt::interceptors {

void throw_at_this_point() {
  throw CORBA::BAD_INV_ORDER(CORBA::omg_minor(14), CORBA::COMPLETED_NO,
                             "the information on the request does not have this at the present point, or the "
                             "point has returned");
}
void throw_not_available(const char* why) {
  throw CORBA::NO_RESOURCES(CORBA::omg_minor(1), CORBA::COMPLETED_NO, why);
}

}  // namespace takt::interceptors
