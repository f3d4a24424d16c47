// A client of Keeper: value_client REFERENCE_FILE.
#include "calling.h"
#include "passing_values.h"

int main(int argc, char** argv) {
  return call_object(argc, argv, 1, [](Checks& checks, CORBA::ORB_var& orb, CORBA::Object_var& object) {
    register_factories(orb);
    Values::Keeper_var keeper = Values::Keeper::_narrow(object);
    pass_all_values(checks, keeper);
    keeper->shutdown();
  });
}
