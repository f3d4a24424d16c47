// A server and a client that communicate over sockets, each an ORB of this process.
#pragma once

#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <takt/corba.h>

#include "make_orb.h"

namespace feature {

using Poa = CORBA::object_reference<PortableServer::POA>;
using Options = std::vector<std::string>;

inline Options with(Options options, const Options& more) {
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

inline Poa root_poa(const Orb& orb) {
  return IDL::traits<PortableServer::POA>::narrow(orb->resolve_initial_references("RootPOA"));
}

class OrbPair {
 public:
  static constexpr const char* loopback = "iiop://127.0.0.1:0";
  // Whether a thread calls run(), which the reactive concurrency needs to serve.
  enum class Server { runs, serves_by_its_own_threads };

  // `prepare` is called with the server before its root POA is asked for.
  explicit OrbPair(
      const Options& server_options = {}, Options client_options = {},
      const std::string& endpoints = loopback, Server calls = Server::runs,
      const std::function<void(const Orb&)>& prepare = [](const Orb&) {})
      : server(make_orb(with(server_options, {"-ORBListenEndpoints", endpoints}), "server")),
        client(make_orb(std::move(client_options), "client")),
        root((prepare(server), root_poa(server))) {
    root->the_POAManager()->activate();
    if (calls == Server::runs) running_ = std::thread([orb = server] { orb->run(); });
  }
  ~OrbPair() {
    client->destroy();
    stop_server();
    server->destroy();
  }
  OrbPair(const OrbPair&) = delete;
  OrbPair& operator=(const OrbPair&) = delete;

  // Returns when the server runs no request and its threads have released their arguments.
  void stop_server() {
    server->shutdown(true);
    if (running_.joinable()) running_.join();
  }

  // Waits until run() has returned in a server that something else shuts down.
  void run_returns() { running_.join(); }

  Poa make_poa(const CORBA::PolicyList& policies) const {
    return root->create_POA("poa" + std::to_string(++poas_), root->the_POAManager(), policies);
  }
  // The client's reference to the same object.
  template <class Interface>
  typename IDL::traits<Interface>::ref_type seen_by_client(
      const CORBA::object_reference<CORBA::Object>& object) const {
    return IDL::traits<Interface>::narrow(client->string_to_object(server->object_to_string(object)));
  }
  // Activates a servant; returns the client's reference.
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type publish(const CORBA::servant_reference<Servant>& servant,
                                                    const Poa& poa) const {
    return seen_by_client<Interface>(poa->id_to_reference(poa->activate_object(servant)));
  }
  template <class Interface, class Servant>
  typename IDL::traits<Interface>::ref_type publish(const CORBA::servant_reference<Servant>& servant) const {
    return publish<Interface>(servant, root);
  }

  Orb server, client;
  const Poa root;

 private:
  mutable int poas_ = 0;
  std::thread running_;
};

}  // namespace feature
