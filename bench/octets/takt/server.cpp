// bench_takt_octets_server [-ORB options]
#include <takt/adapter/borrow_result.h>
#include <takt/corba.h>

#include <cstring>
#include <thread>
#include <vector>

#include "common/serve.h"
#include "common/workload.h"
#include "octetsS.h"

namespace {

// Keeps one vector of the size requested last.
const std::vector<std::uint8_t>& octets_of(std::size_t size) {
  thread_local std::vector<std::uint8_t> octets;
  if (octets.size() != size) octets = bench::make_octets(size);
  return octets;
}

class Sink final : public virtual CORBA::servant_traits<Octets::Sink>::base_type {
 public:
  std::uint32_t copied(const Octets::Block& data) override {
    return bench::digest_octets(data.data(), data.size());
  }
  std::uint32_t viewed(std::span<const std::uint8_t> data) override {
    return bench::digest_octets(data.data(), data.size());
  }
  Octets::Block returned(std::uint32_t size) override { return octets_of(size); }
  takt::HeldOctets copied_once(std::uint32_t size) override {
    takt::OctetBuffer octets = takt::borrow_result(size);
    std::memcpy(octets.data(), octets_of(size).data(), size);
    return octets;
  }
  takt::HeldOctets written(std::uint32_t size) override {
    takt::OctetBuffer octets = takt::borrow_result(size);
    const auto& source = octets_of(size);
    octets[0] = source.front();
    octets[size - 1] = source.back();
    return octets;
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
