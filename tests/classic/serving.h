// Serves one object until its shutdown(). The first argument is the file to write its reference to.
#pragma once

#include <cstdio>
#include <fstream>
#include <string>

#include "corba.h"

// `make` takes the ORB and the root POA, and returns a pointer to the servant.
template <class Make>
int serve(int argc, char** argv, Make make) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    auto* const servant = make(orb, poa);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    CORBA::Object_var served = poa->id_to_reference(id);
    servant->_remove_ref();
    manager->activate();
    CORBA::String_var text = orb->object_to_string(served);
    const std::string path = argv[1], made = path + ".new";
    std::ofstream(made) << text.in();
    std::rename(made.c_str(), path.c_str());
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& exception) {
    std::fprintf(stderr, "server: %s\n", exception._name());
    return 1;
  }
  return 0;
}
