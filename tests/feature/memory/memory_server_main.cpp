// The servant as a process. Prints its reference, then serves.
#include <cstdio>

#include "memory_process.h"
#include "store_servant.h"

int main(int argc, char** argv) {
  feature::prepare_memory();
  auto orb = CORBA::ORB_init(argc, argv);
  auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto id = poa->activate_object(CORBA::make_reference<feature::StoreServant>(orb));
  std::puts(orb->object_to_string(poa->id_to_reference(id)).c_str());
  std::fflush(stdout);
  poa->the_POAManager()->activate();
  orb->run();
}
