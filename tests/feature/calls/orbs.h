// A server and a client ORB in one process that communicate over loopback sockets.
#pragma once

#include <string>
#include <thread>
#include <vector>

#include <takt/corba.h>

#include "../make_orb.h"
#include "echo_servant.h"

namespace feature {

using EchoRef = IDL::traits<Calls::Echo>::ref_type;

class ServerAndClient {
 public:
  explicit ServerAndClient(std::vector<std::string> server_options = {},
                           std::vector<std::string> client_options = {}) {
    server_options.insert(server_options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
    server = make_orb(std::move(server_options), "server");
    client = make_orb(std::move(client_options), "client");
    auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    servant = CORBA::make_reference<EchoServant>();
    const auto id = poa->activate_object(servant);
    ior = server->object_to_string(poa->id_to_reference(id));
    poa->the_POAManager()->activate();
    running = std::thread([orb = server] { orb->run(); });
    echo = IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior));
  }
  ~ServerAndClient() {
    echo.reset();
    client->destroy();
    if (running.joinable()) running_ends();
    server->destroy();
  }
  // Returns when the server runs no request and its threads have released their arguments.
  void running_ends() {
    server->shutdown(true);
    running.join();
  }

  // Activates another servant; returns the client's reference.
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type publish(const CORBA::servant_reference<Servant>& added) {
    const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
    const auto reference = poa->id_to_reference(poa->activate_object(added));
    return IDL::traits<Interface>::narrow(client->string_to_object(server->object_to_string(reference)));
  }

  Orb server, client;
  CORBA::servant_reference<EchoServant> servant;
  std::string ior;
  EchoRef echo;
  std::thread running;
};

}  // namespace feature
