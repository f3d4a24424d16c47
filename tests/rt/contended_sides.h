// A server and a client in one process, whose threads contend.
#pragma once

#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "contendedS.h"
#include "contention.h"

namespace contention {

using Orb = IDL::traits<CORBA::ORB>::ref_type;
using Poa = IDL::traits<PortableServer::POA>::ref_type;
using WorkerRef = IDL::traits<Contended::Worker>::ref_type;

inline Orb make_orb(std::vector<std::string> options, const char* name) {
  options.insert(options.begin(), name);
  std::vector<char*> argv;
  for (std::string& option : options) argv.push_back(option.data());
  argv.push_back(nullptr);
  int argc = static_cast<int>(options.size());
  return CORBA::ORB_init(argc, argv.data(), name);
}

// A program's arguments: what to contend for, how often, and the options of the two ORBs.
struct Asked {
  std::string what;
  int runs;
  std::vector<std::string> server, client;
};
inline Asked asked_of(int argc, char** argv, const std::string& program) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2)
    throw std::runtime_error(program + " WHAT RUNS [ORB option ...] [-- client's ...]");
  const auto bar = std::find(arguments.begin() + 2, arguments.end(), "--");
  Asked asked{arguments[0], std::stoi(arguments[1]), {arguments.begin() + 2, bar}, {}};
  if (bar != arguments.end()) asked.client.assign(bar + 1, arguments.end());
  return asked;
}

struct Sides {
  explicit Sides(std::vector<std::string> server_options, std::vector<std::string> client_options)
      : server(make_orb(std::move(server_options), "server")),
        client(make_orb(std::move(client_options), "client")),
        root(IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"))) {
    root->the_POAManager()->activate();
  }
  ~Sides() {
    client->destroy();
    server->destroy();
  }
  WorkerRef as_client_sees(const CORBA::object_reference<CORBA::Object>& object) const {
    return IDL::traits<Contended::Worker>::narrow(client->string_to_object(server->object_to_string(object)));
  }
  // The priority of the client's threads selects the server's lane.
  void use_priority(int priority) const {
    IDL::traits<RTCORBA::Current>::narrow(client->resolve_initial_references("RTCurrent"))
        ->the_priority(static_cast<RTCORBA::Priority>(priority));
  }

  const Orb server, client;
  const Poa root;
};

}  // namespace contention
