// footprint_takt_static_client [-ORB options] REFERENCE; see stages.h.
#include <takt/corba.h>

#include "footprint/stages.h"
#include "footprintC.h"

int main(int argc, char** argv) {
  return footprint::run_main([&] {
    auto orb = CORBA::ORB_init(argc, argv);
    auto adder = IDL::traits<Footprint::Adder>::narrow(orb->string_to_object(argv[1]));
    footprint::call_as_told([&](int i) { adder->add(i, i); });
    orb->destroy();
  });
}
