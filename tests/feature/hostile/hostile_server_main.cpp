// The echo servant as a process that tests kill. Prints its reference, then serves.
#include <cstdio>

#include "orbs.h"

int main(int argc, char** argv) {
  auto orb = CORBA::ORB_init(argc, argv);
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  auto servant = CORBA::make_reference<feature::EchoServant>();
  const auto id = poa->activate_object(servant);
  std::puts(orb->object_to_string(poa->id_to_reference(id)).c_str());
  std::fflush(stdout);
  poa->the_POAManager()->activate();
  orb->run();
}
