// greeter: serves one object at corbaloc:iiop:1.2@HOST:PORT/Greeter. Options of the ORB say where it listens
// and when it ends; docs/user/containers-and-services.md shows how service managers and containers start it.
#include <iostream>
#include <string>

#include <takt/corba.h>
#include <takt/orb/parts.h>

#include "helloS.h"

// Lets operators use every option: -ORBAdmin, -ORBReflection, -ORBRecorder and -ORBTracing, too.
void takt::choose_parts(Parts& parts) { takt::add_all(parts); }

class Greeter final : public virtual CORBA::servant_traits<Hello::Greeter>::base_type {
 public:
  std::string greet(const std::string& name) override {
    if (name.empty()) throw Hello::NoName();
    return "Hello, " + name + "!";
  }
};

int main(int argc, char* argv[]) {
  try {
    auto orb = CORBA::ORB_init(argc, argv);
    auto poa = IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
    auto id = poa->activate_object(CORBA::make_reference<Greeter>());
    orb->register_object_key("Greeter", poa->id_to_reference(id));
    poa->the_POAManager()->activate();
    orb->run();  // until a signal of -ORBSignals
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
