// A client of Till: fixed_client REFERENCE_FILE.
#include "calling.h"
#include "passing_fixed.h"

int main(int argc, char** argv) {
  return call_object(argc, argv, 13, [](Checks& checks, CORBA::ORB_var&, CORBA::Object_var& object) {
    Fixeds::Till_var till = Fixeds::Till::_narrow(object);
    pass_all_fixed(checks, till);
    till->shutdown();
  });
}
