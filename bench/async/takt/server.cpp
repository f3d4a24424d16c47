// bench_takt_async_server [-ORB options]
#include <takt/corba.h>

#include <thread>

#include "asyncS.h"
#include "common/serve.h"
#include "common/workload.h"

namespace {

class Servant final : public virtual CORBA::servant_traits<Bench::Pipelined>::base_type {
 public:
  std::uint8_t cube_octet(std::uint8_t x) override { return bench::cube(x); }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_async_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    const auto root = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = root->activate_object(CORBA::make_reference<Servant>());
    root->the_POAManager()->activate();
    std::thread([orb] { orb->run(); }).detach();
    bench::announce(orb->object_to_string(root->id_to_reference(id)));
    bench::exit_when_stdin_closes();
  });
}
