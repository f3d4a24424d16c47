// Makes calls whose messaging protocol policies choose, for tracing of system calls. Before each kind of call
// it writes its name, "== NAME", to its output.
#include <takt/corba.h>
#include <takt/rt/rtcorba.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "localS.h"

namespace {

using CORBA::SetOverrideType;
using RTCORBA::Protocol;
using Orb = CORBA::object_reference<CORBA::ORB>;
using CubeRef = CORBA::object_reference<Nearby::Cube>;

class Cubed final : public virtual Nearby::POA::Cube {
 public:
  std::uint8_t cubed(std::uint8_t x) override { return static_cast<std::uint8_t>(x * x * x); }
  void other() override {}
  std::int32_t another(std::int32_t x) override { return x; }
};

Orb make_orb(std::vector<std::string> options, const char* name) {
  std::vector<char*> argv{options.front().data()};
  for (std::string& option : options) argv.push_back(option.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), name);
}

void calls(const char* name, const CubeRef& cube, int count = 5) {
  std::printf("== %s\n", name);
  std::fflush(stdout);
  for (int i = 0; i < count; ++i)
    if (cube->cubed(3) != 27) std::abort();
}

CubeRef with(const CubeRef& cube, const CORBA::PolicyList& policies) {
  return IDL::traits<Nearby::Cube>::narrow(
      cube->_set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE));
}

}  // namespace

int main() try {
  const Orb server = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0,unix:"}, "server");
  const Orb client = make_orb({"-ORBMessaging", "giop"}, "client");
  const auto root = IDL::traits<PortableServer::POA>::narrow(server->resolve_initial_references("RootPOA"));
  root->the_POAManager()->activate();
  std::thread running([&] { server->run(); });
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(client->resolve_initial_references("RTORB"));
  const Protocol lite(takt::TCP_PROTOCOL_TYPE, CORBA::make_reference<takt::GIOPLiteProtocolProperties>());
  const Protocol giop(takt::TCP_PROTOCOL_TYPE, CORBA::make_reference<RTCORBA::GIOPProtocolProperties>());
  const CORBA::PolicyList only_lite{rt->create_client_protocol_policy({lite})};

  const auto cube_in = [&](const CORBA::object_reference<PortableServer::POA>& poa) {
    const auto id = poa->activate_object(CORBA::make_reference<Cubed>());
    return IDL::traits<Nearby::Cube>::narrow(
        client->string_to_object(server->object_to_string(poa->id_to_reference(id))));
  };
  const auto usual = cube_in(root);
  const auto server_rt = IDL::traits<RTCORBA::RTORB>::narrow(server->resolve_initial_references("RTORB"));
  const auto fast = cube_in(
      root->create_POA("fast", root->the_POAManager(), {server_rt->create_server_protocol_policy({lite})}));

  calls("no policy", usual);
  calls("the server's alone", fast);
  calls("object", with(fast, only_lite));
  for (const char* scope : {"ORBPolicyManager", "PolicyCurrent"})
    std::thread([&] {
      const auto manager =
          IDL::traits<CORBA::PolicyManager>::narrow(client->resolve_initial_references(scope));
      manager->set_policy_overrides(only_lite, SetOverrideType::SET_OVERRIDE);
      calls(scope, fast);
      manager->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    }).join();
  const auto current =
      IDL::traits<CORBA::PolicyManager>::narrow(client->resolve_initial_references("PolicyCurrent"));
  for (int i = 0; i < 3; ++i) {
    current->set_policy_overrides(only_lite, SetOverrideType::SET_OVERRIDE);
    calls("call", fast, 1);
    current->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    calls("other call", fast, 1);
  }
  calls("next of the list", with(usual, {rt->create_client_protocol_policy({lite, giop})}));
  calls("next transport",
        with(usual, {rt->create_client_protocol_policy({lite, Protocol(takt::UNIX_PROTOCOL_TYPE)})}));
  try {
    calls("exception", with(usual, only_lite));
    std::abort();
  } catch (const CORBA::INV_POLICY&) {
  }
  std::puts("== end");
  client->destroy();
  server->shutdown(true);
  running.join();
  server->destroy();
} catch (const std::exception& failure) {
  std::fprintf(stderr, "%s\n", failure.what());
  return 1;
}
