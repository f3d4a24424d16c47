// A client of Keeper: value_client REFERENCE_FILE.
#include <fstream>
#include <iterator>
#include <string>

#include "passing_values.h"

int main(int argc, char** argv) {
  ValueChecks checks;
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    register_factories(orb);
    std::ifstream file(argv[1]);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CORBA::Object_var object = orb->string_to_object(text.c_str());
    Values::Keeper_var keeper = Values::Keeper::_narrow(object);
    pass_all_values(checks, keeper);
    keeper->shutdown();
    orb->destroy();
  } catch (const CORBA::SystemException& exception) {
    std::printf("FAIL exception %s %lx\n", exception._rep_id(),
                static_cast<unsigned long>(exception.minor()));
    return 1;
  }
  return checks.result();
}
