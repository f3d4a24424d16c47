// footprint_takt_static_server [-ORB options]: prints its object's reference, then serves until it is killed.
#include <takt/corba.h>

#include "footprint/stages.h"
#include "footprintS.h"

namespace {

class Adder final : public virtual CORBA::servant_traits<Footprint::Adder>::base_type {
 public:
  std::int32_t add(std::int32_t a, std::int32_t b) override { return a + b; }
};

}  // namespace

int main(int argc, char** argv) {
  return footprint::run_main([&] {
    auto orb = CORBA::ORB_init(argc, argv);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    const auto id = poa->activate_object(CORBA::make_reference<Adder>());
    poa->the_POAManager()->activate();
    footprint::announce(orb->object_to_string(poa->id_to_reference(id)).c_str());
    orb->run();
  });
}
