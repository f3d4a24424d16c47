// Serves one Rare::Keeper until its shutdown(). The argument is the file to write its reference to.
#include "rare_servants.h"
#include "serving.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_var& orb, PortableServer::POA_var&) {
    register_things(orb);
    return new Rare_i(orb);
  });
}
