// A server and a client in one process, each with its own ORB, so that the call goes over the wire.
#include <iostream>
#include <thread>

#include <takt/corba.h>

#include "scalerC.h"
#include "scalerS.h"

class Scaler final : public virtual CORBA::servant_traits<Consumer::Scaler>::base_type {
 public:
  std::int32_t scaled(std::int32_t value) override { return value * Consumer::factor; }
};

int main(int argc, char* argv[]) {
  try {
    auto server = CORBA::ORB_init(argc, argv, "server");
    auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    auto id = poa->activate_object(CORBA::make_reference<Scaler>());
    poa->the_POAManager()->activate();
    std::thread loop([server] { server->run(); });

    auto client = CORBA::ORB_init(argc, argv, "client");
    auto object = client->string_to_object(server->object_to_string(poa->id_to_reference(id)));
    auto scaler = IDL::traits<Consumer::Scaler>::narrow(object);
    std::cout << scaler->scaled(4) << " is " << Consumer::factor << " times 4\n";

    client->destroy();
    server->shutdown(false);
    loop.join();
    server->destroy();
  } catch (const CORBA::Exception& failure) {
    std::cerr << failure.what() << '\n';
    return 1;
  }
}
