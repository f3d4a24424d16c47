// bench_takt_octets_server [-ORB options]
#include <takt/corba.h>

#include <thread>

#include "common/serve.h"
#include "common/workload.h"
#include "octetsS.h"

namespace {

class Sink final : public virtual CORBA::servant_traits<Octets::Sink>::base_type {
 public:
  std::uint32_t copied(const Octets::Block& data) override {
    return bench::digest_octets(data.data(), data.size());
  }
  std::uint32_t viewed(std::span<const std::uint8_t> data) override {
    return bench::digest_octets(data.data(), data.size());
  }
};

}  // namespace

int main(int argc, char** argv) {
  return bench::run_main("bench_takt_octets_server", [&] {
    auto orb = CORBA::ORB_init(argc, argv);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<Sink>());
    poa->the_POAManager()->activate();
    bench::announce(orb->object_to_string(poa->id_to_reference(id)));
    std::thread(bench::exit_when_stdin_closes).detach();
    orb->run();
  });
}
