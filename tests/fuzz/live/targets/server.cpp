// live_server FILE: a server with every IDL type. It writes four references to the file, one per line:
// objects for types, values and calls, and one for types whose adapter runs one call at a time. Then it
// serves until it is killed.
#include <cstdio>
#include <fstream>
#include <iostream>

#include <takt/corba.h>

#include "echo_calls.h"
#include "echoes.h"
#include "takt/values.h"

namespace {

using PortableServer::POA;

// Keys are the same in each run, so that recorded messages can be sent again.
IDL::traits<POA>::ref_type make_adapter(const IDL::traits<POA>::ref_type& root, const char* name,
                                        bool serial) {
  using namespace PortableServer;
  CORBA::PolicyList policies;
  policies.push_back(root->create_lifespan_policy(LifespanPolicyValue::PERSISTENT));
  policies.push_back(root->create_id_assignment_policy(IdAssignmentPolicyValue::USER_ID));
  if (serial) policies.push_back(root->create_thread_policy(ThreadPolicyValue::SINGLE_THREAD_MODEL));
  return root->create_POA(name, root->the_POAManager(), policies);
}

std::string activate(const IDL::traits<CORBA::ORB>::ref_type& orb, const IDL::traits<POA>::ref_type& adapter,
                     const char* name, CORBA::servant_reference<PortableServer::Servant> servant) {
  const PortableServer::ObjectId id = PortableServer::string_to_ObjectId(name);
  adapter->activate_object_with_id(id, servant);
  return orb->object_to_string(adapter->id_to_reference(id));
}

}  // namespace

int main(int argc, char* argv[]) {
  using namespace takt::fuzz::live;
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    if (argc != 2) {
      std::cerr << "usage: live_server FILE\n";
      return 2;
    }
    auto root = IDL::traits<POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto adapter = make_adapter(root, "live", false), serial = make_adapter(root, "serial", true);
    interop::register_factories(orb);
    const std::string file = argv[1];
    {
      std::ofstream references(file + ".new");
      references << activate(orb, adapter, "types", CORBA::make_reference<EchoTypes>()) << '\n'
                 << activate(orb, adapter, "values", CORBA::make_reference<EchoValues>()) << '\n'
                 << activate(orb, adapter, "calls", CORBA::make_reference<EchoCalls>()) << '\n'
                 << activate(orb, serial, "serial", CORBA::make_reference<EchoTypes>()) << '\n';
    }
    root->the_POAManager()->activate();
    std::rename((file + ".new").c_str(), file.c_str());
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
