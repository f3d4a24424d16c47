// interop_takt_server [--dynamic] FILE: writes its object's reference to the file, and that of the persistent
// object to FILE.lasting, then serves until it is killed. With --dynamic, no servant has a generated
// skeleton.
#include <cstdio>
#include <fstream>
#include <iostream>

#include <takt/orb/parts.h>

#include "dynamic_servants.h"
#include "options.h"
#include "servants.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using PortableServer::POA;
bool dynamic_servants = false;

// The servant itself, or one without a generated skeleton in its place.
template <class Servant>
CORBA::servant_reference<PortableServer::Servant> as_chosen(CORBA::servant_reference<Servant> servant) {
  if (dynamic_servants) return interop::dynamic(servant);
  return servant;
}

template <class Interface, class Servant>
auto activate(const IDL::traits<POA>::ref_type& poa, CORBA::servant_reference<Servant> servant) {
  return IDL::traits<Interface>::narrow(poa->id_to_reference(poa->activate_object(as_chosen(servant))));
}

// An object whose requests are forwarded to the target.
IDL::traits<Interop::Calls>::ref_type forwarding(const IDL::traits<POA>::ref_type& root,
                                                 IDL::traits<Interop::Calls>::ref_type target) {
  using namespace PortableServer;
  CORBA::PolicyList policies;
  policies.push_back(root->create_servant_retention_policy(ServantRetentionPolicyValue::NON_RETAIN));
  policies.push_back(
      root->create_request_processing_policy(RequestProcessingPolicyValue::USE_SERVANT_MANAGER));
  auto poa = root->create_POA("forwarding", root->the_POAManager(), policies);
  poa->set_servant_manager(CORBA::make_reference<interop::Elsewhere>(target));
  return IDL::traits<Interop::Calls>::narrow(
      poa->create_reference(Interop::Calls::_interface_repository_id()));
}

// An object that has the same reference after the server has restarted at its endpoint.
IDL::traits<Interop::Calls>::ref_type lasting(const IDL::traits<POA>::ref_type& root,
                                              IDL::traits<Interop::Caller>::ref_type giver) {
  using namespace PortableServer;
  CORBA::PolicyList policies;
  policies.push_back(root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT));
  policies.push_back(root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID));
  auto poa = root->create_POA("lasting", root->the_POAManager(), policies);
  auto servant = CORBA::make_reference<interop::CallsServant>();
  servant->refers_to(nullptr, nullptr, giver, nullptr, nullptr);
  const ObjectId id = string_to_ObjectId("calls");
  poa->activate_object_with_id(id, as_chosen(servant));
  return IDL::traits<Interop::Calls>::narrow(poa->id_to_reference(id));
}

// Writes the file such that it is never visible in part.
void write_reference(const std::string& file, const std::string& reference) {
  std::ofstream(file + ".new") << reference << '\n';
  std::rename((file + ".new").c_str(), file.c_str());
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    dynamic_servants = interop::take_option(argc, argv, "--dynamic");
    if (argc != 2) {
      std::cerr << "usage: interop_takt_server [--dynamic] FILE\n";
      return 2;
    }
    auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
    auto servant = CORBA::make_reference<interop::CallsServant>();
    auto calls = activate<Interop::Calls>(root, servant);
    auto giver = activate<Interop::Caller>(root, CORBA::make_reference<interop::CallerServant>());
    servant->refers_to(activate<Interop::Types>(root, CORBA::make_reference<interop::TypesServant>()),
                       activate<Interop::Values>(root, CORBA::make_reference<interop::ValuesServant>()),
                       giver, forwarding(root, calls),
                       IDL::traits<Interop::Calls>::narrow(
                           root->create_reference(Interop::Calls::_interface_repository_id())));
    interop::register_factories(orb);
    root->the_POAManager()->activate();
    const std::string file = argv[1];
    write_reference(file + ".lasting", orb->object_to_string(lasting(root, giver)));
    write_reference(file, orb->object_to_string(calls));
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
