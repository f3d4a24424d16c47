// bench_takt_server [-ORB options]
#include <thread>

#include "common/serve.h"
#include "servant.h"

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<CubeServant>());
    poa->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();
    bench::announce(orb->object_to_string(poa->id_to_reference(id)));
    bench::exit_when_stdin_closes();
  });
}
