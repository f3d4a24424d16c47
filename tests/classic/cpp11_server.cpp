// As server.cpp, in the IDL to C++11 mapping.
#include <cstdio>
#include <fstream>

#include "cpp11_servants.h"

int main(int argc, char** argv) {
  const auto orb = CORBA::ORB_init(argc, argv);
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  const auto servant = CORBA::make_reference<Basics11>(orb);
  poa->the_POAManager()->activate();
  const std::string path = argv[1], made = path + ".new";
  std::ofstream(made) << orb->object_to_string(servant->_this());
  std::rename(made.c_str(), path.c_str());
  orb->run();
  orb->destroy();
}
