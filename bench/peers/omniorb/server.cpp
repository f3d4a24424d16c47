// bench_omniorb_server -ORBendPoint giop:tcp:127.0.0.1: [other -ORB options] [--priorities none]
// [--burn MICROSECONDS]
#include "common/options.h"
#include "common/serve.h"
#include "servant.h"

namespace {

std::string publish(CORBA::ORB_ptr orb, PortableServer::POA_ptr poa,
                    const bench::Work& work = bench::Work()) {
  PortableServer::Servant_var<CubeServant> servant = new CubeServant(work);
  PortableServer::ObjectId_var id = poa->activate_object(servant);
  Bench::Cube_var cube = servant->_this();
  CORBA::String_var ior = orb->object_to_string(cube);
  return std::string(ior);
}

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_omniorb_server", [&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bench::Options options(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    // It has no priorities to give to two servants.
    bench::announce(options.has("priorities")
                        ? bench::both_endpoints(publish(orb, poa),
                                                publish(orb, poa, bench::Work(options.number("burn", 0))))
                        : publish(orb, poa));
    bench::exit_when_stdin_closes();
  });
}
