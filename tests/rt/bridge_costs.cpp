// Calls through a bridge over TCP, with or without rewriting of references, for external counters. Client,
// bridge and server are ORBs of this process:
//
//   rt_bridge_costs WAY OPERATION OCTETS CALLS [time]
//       WAY: direct (no bridge), octets (bodies pass unchanged) or rewritten (it knows the operations)
//       OPERATION: pass (a reference there and back, and OCTETS octets) or send (the octets alone)
//       time: prints the median duration of a call in microseconds
#include <takt/corba.h>
#include <takt/orb/bridge.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "bridgeS.h"

namespace {

using Orb = IDL::traits<CORBA::ORB>::ref_type;
using ObjectRef = CORBA::object_reference<CORBA::Object>;

class Desk final : public virtual CORBA::servant_traits<Passing::Desk>::base_type {
 public:
  explicit Desk(ObjectRef first) : first_(std::move(first)) {}
  ObjectRef pass(ObjectRef it, const Passing::Octets&) override { return it ? it : first_; }
  void send(const Passing::Octets&) override {}

 private:
  const ObjectRef first_;
};

Orb orb_named(const char* name) {
  std::string words[] = {name, "-ORBListenEndpoints", "iiop://127.0.0.1:0"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  int argc = 3;
  return CORBA::ORB_init(argc, argv, name);
}

std::vector<takt::OperationTypes> types_of_desk() {
  const CORBA::typecode_reference object = Passing::_tc_Desk, octets = Passing::_tc_Octets;
  const std::string id = "IDL:Passing/Desk:1.0";
  return {{id, "pass", {object, octets}, {object}, {}}, {id, "send", {octets}, {}, {}}};
}

struct Told {
  std::string way, operation;
  std::size_t octets;
  int calls;
  bool time;
};

template <class Call>
void call_as_told(const Told& told, Call call) {
  call();
  std::vector<double> times;
  for (int i = 0; i < told.calls; ++i) {
    if (!told.time) {
      call();
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    call();
    times.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  if (times.empty()) return;
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  std::printf("%.2f\n", times[times.size() / 2]);
}

void run(const Told& told) {
  const Orb server = orb_named("server"), gateway = orb_named("bridge"), client = orb_named("client");
  const auto poa = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const ObjectRef passed = poa->id_to_reference(poa->activate_object(CORBA::make_reference<Desk>(nullptr)));
  const auto id = poa->activate_object(CORBA::make_reference<Desk>(passed));
  std::string reference = server->object_to_string(poa->id_to_reference(id));
  if (told.way != "direct") {
    takt::Bridge::References references;
    if (told.way == "rewritten") references.operations = types_of_desk();
    auto bridge = takt::Bridge::over(gateway, std::move(references));
    reference = gateway->object_to_string(bridge.publish(gateway->string_to_object(reference)));
  }
  const auto desk = IDL::traits<Passing::Desk>::narrow(client->string_to_object(reference));
  const Passing::Octets data(told.octets, 7);
  // An object of the server, as the client sees it.
  const ObjectRef it = told.operation == "pass" ? desk->pass(nullptr, {}) : nullptr;
  if (it)
    call_as_told(told, [&] { desk->pass(it, data); });
  else
    call_as_told(told, [&] { desk->send(data); });
  for (const Orb& orb : {client, gateway, server}) orb->destroy();
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 5) throw std::runtime_error("rt_bridge_costs WAY OPERATION OCTETS CALLS [time]");
  run({argv[1], argv[2], std::strtoul(argv[3], nullptr, 10), std::atoi(argv[4]), argc > 5});
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
