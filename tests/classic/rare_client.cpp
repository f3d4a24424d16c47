// A client of Rare::Keeper: rare_client REFERENCE_FILE.
#include <fstream>
#include <iterator>
#include <string>

#include "passing_rare.h"

int main(int argc, char** argv) {
  RareChecks checks;
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    std::ifstream file(argv[1]);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    CORBA::Object_var object = orb->string_to_object(text.c_str());
    Rare::Keeper_var keeper = Rare::Keeper::_narrow(object);
    register_things(orb);
    pass_contexts(checks, orb, keeper);
    pass_things(checks, keeper);
    pass_diamonds(checks, keeper);
    keeper->shutdown();
    orb->destroy();
  } catch (const CORBA::SystemException& exception) {
    std::printf("FAIL exception %s %lx\n", exception._rep_id(),
                static_cast<unsigned long>(exception.minor()));
    return 1;
  }
  std::printf("%d checks, %d failed\n", checks.made(), checks.failed());
  return checks.failed() || checks.made() < 16;
}
