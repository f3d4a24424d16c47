// bench_omniorb_async_server -ORBendPoint giop:tcp:127.0.0.1: [other -ORB options]
#include <omniORB4/CORBA.h>

#include <string>

#include "async.hh"
#include "common/serve.h"
#include "common/workload.h"

namespace {

class Servant : public POA_Bench::Pipelined {
 public:
  CORBA::Octet cube_octet(CORBA::Octet x) override { return bench::cube(x); }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_async_server", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<Servant> servant = new Servant();
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    Bench::Pipelined_var cube = servant->_this();
    CORBA::String_var ior = orb->object_to_string(cube);
    bench::announce(std::string(ior));
    bench::exit_when_stdin_closes();
  });
}
