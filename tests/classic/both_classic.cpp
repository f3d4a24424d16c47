#include "both.h"
#include "passing.h"
#include "servants.h"

namespace {

CORBA::ORB_var& orb() {
  static CORBA::ORB_var orb;
  if (CORBA::is_nil(orb)) {
    int argc = 0;
    orb = CORBA::ORB_init(argc, nullptr);
  }
  return orb;
}

}  // namespace

std::string serve_in_classic() {
  CORBA::Object_var object = orb()->resolve_initial_references("RootPOA");
  PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
  PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  Basics_i* const servant = new Basics_i(orb());
  PortableServer::ServantBase_var owner = servant;
  Broad::Basics_var basics = servant->_this();
  CORBA::String_var text = orb()->object_to_string(basics);
  return text.in();
}

std::string call_in_classic(const std::string& reference) {
  CORBA::Object_var object = orb()->string_to_object(reference.c_str());
  Broad::Basics_var basics = Broad::Basics::_narrow(object);
  if (CORBA::is_nil(basics)) return "not a Basics";
  if (basics->cube_octet(3) != 27) return "cube_octet";
  Checks checks;
  pass_texts(checks, basics);
  pass_structures(checks, basics);
  if (checks.result() != 0) return "a type";
  try {
    basics->refuse("why");
    return "refuse() returned";
  } catch (const Broad::Refused& refused) {
    if (std::string(refused.why.in()) != "why") return "another reason";
  }
  try {
    basics->fail(0);
    return "fail() returned";
  } catch (const CORBA::NO_PERMISSION& exception) {
    return exception.minor() == 99 ? "" : "another minor code";
  }
}

void end_classic() { orb() = CORBA::ORB::_nil(); }
