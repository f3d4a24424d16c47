// A client of Faces::Register: abstract_client REFERENCE_FILE.
#include "calling.h"
#include "passing_abstract.h"

int main(int argc, char** argv) {
  return call_object(argc, argv, 16, [](Checks& checks, CORBA::ORB_var& orb, CORBA::Object_var& object) {
    Faces::Register_var registry = Faces::Register::_narrow(object);
    register_notes(orb);
    pass_all_abstract(checks, registry);
    registry->shutdown();
  });
}
