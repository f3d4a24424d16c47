// Serves one Keeper until its shutdown(). The argument is the file to write its reference to.
#include "serving.h"
#include "value_servants.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_var& orb, PortableServer::POA_var&) {
    register_factories(orb);
    return new Keeper_i(orb);
  });
}
