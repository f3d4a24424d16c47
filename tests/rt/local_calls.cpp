// Calls an object of its own process CALLS times, for external counters of instructions and allocations:
//
//   rt_local_calls CALLS [direct] [ORB option ...]
#include <takt/adapter/direct.h>
#include <takt/corba.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "localS.h"

namespace {

class Cube final : public virtual Nearby::POA::Cube {
 public:
  std::uint8_t cubed(std::uint8_t x) override { return static_cast<std::uint8_t>(x * x * x); }
  void other() override {}
  std::int32_t another(std::int32_t x) override { return x; }
};

}  // namespace

int main(int argc, char** argv) try {
  auto orb = CORBA::ORB_init(argc, argv);
  const long calls = argc > 1 ? std::atol(argv[1]) : 1;
  const auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto cube = CORBA::make_reference<Cube>()->_this();
  unsigned sum = 0;
  if (argc > 2 && std::string_view(argv[2]) == "direct") {
    const takt::Direct<Nearby::Cube> direct(cube);
    for (long i = 0; i < calls; ++i) sum += direct->cubed(3);
  } else {
    for (long i = 0; i < calls; ++i) sum += cube->cubed(3);
  }
  std::printf("%u\n", sum / 27);
  orb->destroy();
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
