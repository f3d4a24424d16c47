// footprint_omniorb_static_client and ..._shared_client [-ORB options] REFERENCE; see stages.h.
#include "footprint.hh"
#include "footprint/stages.h"

int main(int argc, char** argv) {
  return footprint::run_main([&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    Footprint::Adder_var adder = Footprint::Adder::_narrow(object);
    footprint::call_as_told([&](int i) { adder->add(i, i); });
    orb->destroy();
  });
}
