// footprint_omniorb_static_server and ..._shared_server [-ORB options]: prints its object's reference, then
// serves until it is killed.
#include "footprint.hh"
#include "footprint/stages.h"

namespace {

class Adder : public POA_Footprint::Adder {
 public:
  CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b; }
};

}  // namespace

int main(int argc, char** argv) {
  return footprint::run_main([&] {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::Servant_var<Adder> servant = new Adder;
    PortableServer::ObjectId_var id = poa->activate_object(servant);
    PortableServer::POAManager_var manager = poa->the_POAManager();
    manager->activate();
    CORBA::Object_var adder = servant->_this();
    CORBA::String_var reference = orb->object_to_string(adder);
    footprint::announce(reference);
    orb->run();
  });
}
