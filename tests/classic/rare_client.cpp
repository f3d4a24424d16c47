// A client of Rare::Keeper: rare_client REFERENCE_FILE.
#include "calling.h"
#include "passing_rare.h"

int main(int argc, char** argv) {
  return call_object(argc, argv, 24, [](Checks& checks, CORBA::ORB_var& orb, CORBA::Object_var& object) {
    Rare::Keeper_var keeper = Rare::Keeper::_narrow(object);
    register_things(orb);
    pass_contexts(checks, orb, keeper);
    pass_points(checks, keeper);
    pass_things(checks, keeper);
    pass_diamonds(checks, keeper);
    keeper->shutdown();
  });
}
