// hello_server: prints its object's reference, then serves until it is killed.
#include <iostream>
#include <string>

#include <takt/corba.h>

#include "helloS.h"

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
    std::cout << orb->object_to_string(poa->id_to_reference(id)) << std::endl;
    poa->the_POAManager()->activate();
    orb->run();
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
