// Serves one Till until its shutdown(). The argument is the file to write its reference to.
#include "fixed_servants.h"
#include "serving.h"

int main(int argc, char** argv) {
  return serve(argc, argv, [](CORBA::ORB_var& orb, PortableServer::POA_var&) { return new Till_i(orb); });
}
