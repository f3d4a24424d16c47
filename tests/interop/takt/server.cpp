// interop_takt_server FILE: writes its object's reference to the file, then serves until it is killed.
#include <cstdio>
#include <fstream>
#include <iostream>

#include "servants.h"

namespace {

using PortableServer::POA;

template <class Interface>
auto activate(const IDL::traits<POA>::ref_type& poa,
              CORBA::servant_reference<PortableServer::Servant> servant) {
  return IDL::traits<Interface>::narrow(poa->id_to_reference(poa->activate_object(servant)));
}

// An object whose requests go to the target.
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

}  // namespace

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: interop_takt_server FILE\n";
      return 2;
    }
    auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
    auto servant = CORBA::make_reference<interop::CallsServant>();
    auto calls = activate<Interop::Calls>(root, servant);
    servant->refers_to(activate<Interop::Types>(root, CORBA::make_reference<interop::TypesServant>()),
                       activate<Interop::Values>(root, CORBA::make_reference<interop::ValuesServant>()),
                       activate<Interop::Caller>(root, CORBA::make_reference<interop::CallerServant>()),
                       forwarding(root, calls),
                       IDL::traits<Interop::Calls>::narrow(
                           root->create_reference(Interop::Calls::_interface_repository_id())));
    interop::register_factories(orb);
    root->the_POAManager()->activate();
    const std::string file = argv[1];
    std::ofstream(file + ".new") << orb->object_to_string(calls) << '\n';
    std::rename((file + ".new").c_str(), file.c_str());
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
