// interop_omniorb_server [--dynamic] FILE: writes its object's reference to the file, and that of the
// persistent object to FILE.lasting, then serves until it is killed. With --dynamic, gateways are in front of
// its objects.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "gateway.h"
#include "options.h"
#include "servants.h"

namespace {

using namespace PortableServer;

CORBA::Object_ptr activate(POA_ptr poa, Servant servant) {
  ObjectId_var id = poa->activate_object(servant);
  return poa->id_to_reference(id);
}

// An object whose requests are forwarded to the target.
CORBA::Object_ptr forwarding(POA_ptr root, CORBA::Object_ptr target) {
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_servant_retention_policy(NON_RETAIN);
  policies[1] = root->create_request_processing_policy(USE_SERVANT_MANAGER);
  POAManager_var manager = root->the_POAManager();
  POA_var poa = root->create_POA("forwarding", manager, policies);
  poa->set_servant_manager(new interop::Elsewhere(target));
  return poa->create_reference("IDL:Interop/Calls:1.0");
}

// An object that has the same reference after the server has restarted at its endpoint.
CORBA::Object_ptr lasting(POA_ptr root, CORBA::Object_ptr giver) {
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root->create_lifespan_policy(PERSISTENT);
  policies[1] = root->create_id_assignment_policy(USER_ID);
  POAManager_var manager = root->the_POAManager();
  POA_var poa = root->create_POA("lasting", manager, policies);
  auto* servant = new interop::CallsServant;
  servant->refers_to(Interop::Types::_nil(), Interop::Values::_nil(),
                     Interop::Caller::_unchecked_narrow(giver), Interop::Calls::_nil(),
                     Interop::Calls::_nil());
  ObjectId_var id = string_to_ObjectId("calls");
  poa->activate_object_with_id(id, servant);
  return poa->id_to_reference(id);
}

// Writes the file such that it is never visible in part.
void write_reference(const std::string& file, const char* reference) {
  std::ofstream(file + ".new") << reference << '\n';
  std::rename((file + ".new").c_str(), file.c_str());
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bool dynamic = interop::take_option(argc, argv, "--dynamic");
    if (argc != 2) {
      std::cerr << "usage: interop_omniorb_server [--dynamic] FILE\n";
      return 2;
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    POA_var root = POA::_narrow(object);
    auto* servant = new interop::CallsServant;
    POA_var both = interop::both_ways(orb, root);
    CORBA::Object_var calls = activate(both, servant);
    if (dynamic) calls = interop::calls_gateway(orb, both, calls);
    CORBA::Object_var kinds = activate(root, new interop::TypesServant);
    CORBA::Object_var values = activate(root, new interop::ValuesServant);
    interop::register_factories(orb);
    CORBA::Object_var giver = activate(root, new interop::CallerServant);
    CORBA::Object_var forwarded = forwarding(root, calls);
    CORBA::Object_var absent = root->create_reference("IDL:Interop/Calls:1.0");
    servant->refers_to(Interop::Types::_unchecked_narrow(kinds), Interop::Values::_unchecked_narrow(values),
                       Interop::Caller::_unchecked_narrow(giver),
                       Interop::Calls::_unchecked_narrow(forwarded),
                       Interop::Calls::_unchecked_narrow(absent));
    POAManager_var manager = root->the_POAManager();
    manager->activate();
    const std::string file = argv[1];
    CORBA::Object_var kept = lasting(root, giver);
    CORBA::String_var ior = orb->object_to_string(calls), lasting_ior = orb->object_to_string(kept);
    write_reference(file + ".lasting", lasting_ior);
    write_reference(file, ior);
    orb->run();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure._name() << '\n';
    return 1;
  }
}
