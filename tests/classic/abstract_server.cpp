// Serves one Faces::Register until its shutdown(). The argument is the file to write its reference to.
#include "abstract_servants.h"
#include "serving.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_var& orb, PortableServer::POA_var& poa) {
    register_notes(orb);
    return new Register_i(orb, poa);
  });
}
