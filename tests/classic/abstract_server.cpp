// Serves one Faces::Register until its shutdown(). The argument is the file to write its reference to.
#include <cstdio>
#include <fstream>
#include <string>

#include "abstract_servants.h"

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    Register_i* const servant = new Register_i(orb, poa);
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    register_notes(orb);
    Faces::Register_var registry = servant->_this();
    servant->_remove_ref();
    manager->activate();
    CORBA::String_var text = orb->object_to_string(registry);
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
