// RTCORBA's protocol policies.
#include <algorithm>
#include <cstdio>
#include <fstream>

#include "giop/references/profile.h"
#include "reference/text/stringified_ior.h"
#include "served.h"

namespace feature {
namespace {

using CORBA::SetOverrideType;
using RTCORBA::Protocol;
using RTCORBA::ProtocolList;
using takt::TCP_PROTOCOL_TYPE;
using takt::UNIX_PROTOCOL_TYPE;

const Protocol tcp(TCP_PROTOCOL_TYPE), path(UNIX_PROTOCOL_TYPE);
const Protocol lite_tcp(TCP_PROTOCOL_TYPE, CORBA::make_reference<takt::GIOPLiteProtocolProperties>());
const Protocol giop_tcp(TCP_PROTOCOL_TYPE, CORBA::make_reference<RTCORBA::GIOPProtocolProperties>());
constexpr const char* both = "unix:,iiop://127.0.0.1:0";

EchoRef with(const EchoRef& echo, const CORBA::PolicyList& policies) {
  return IDL::traits<Calls::Echo>::narrow(
      echo->_set_policy_overrides(policies, SetOverrideType::SET_OVERRIDE));
}

TEST(ClientProtocolPolicy, ChoosesAmongTheReferencesTransportsInItsOrder) {
  const Served served(both);
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  with(echo, {rt->create_client_protocol_policy({tcp, path})})->nothing();
  EXPECT_EQ(connections(AF_INET), 2);
  EXPECT_EQ(connections(AF_UNIX), 0);
  with(echo, {rt->create_client_protocol_policy({path})})->nothing();
  EXPECT_EQ(connections(AF_UNIX), 2);
}

TEST(ClientProtocolPolicy, HoldsForAnOrbAndAThreadToo) {
  const Served served(both);
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  const CORBA::PolicyList by_tcp{rt->create_client_protocol_policy({tcp})};
  for (const char* scope : {"ORBPolicyManager", "PolicyCurrent"}) {
    const long before = connections(AF_INET), unix_before = connections(AF_UNIX);
    std::jthread([&] {
      const auto manager =
          IDL::traits<CORBA::PolicyManager>::narrow(served.client->resolve_initial_references(scope));
      manager->set_policy_overrides(by_tcp, SetOverrideType::SET_OVERRIDE);
      echo->nothing();
      EXPECT_EQ(connections(AF_INET), before + 2) << scope;
      EXPECT_EQ(connections(AF_UNIX), unix_before) << scope;
      manager->set_policy_overrides({}, SetOverrideType::SET_OVERRIDE);
    }).join();
    for (int i = 0; i < 500 && connections(AF_INET) > before; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(ClientProtocolPolicy, FallsBackToTheNextInTheList) {
  const Folder folder;
  const Served served("iiop://127.0.0.1:0,unix:" + folder / "server");
  const auto rt = rt_of(served.client);
  std::filesystem::remove(folder / "server");
  const auto echo = with(served.echo_in(served.root), {rt->create_client_protocol_policy({path, tcp})});
  echo->nothing();
  EXPECT_EQ(connections(AF_INET), 2);
  const auto alone = with(echo, {rt->create_client_protocol_policy({path})});
  EXPECT_THROW(alone->nothing(), CORBA::TRANSIENT);
}

TEST(ClientProtocolPolicy, WithoutACommonTransportCallsAreRefused) {
  const Served served("iiop://127.0.0.1:0");
  const auto echo =
      with(served.echo_in(served.root), {rt_of(served.client)->create_client_protocol_policy({path})});
  EXPECT_THROW(echo->nothing(), CORBA::INV_POLICY);
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(echo->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1u);
  EXPECT_EQ(inconsistent[0]->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
}

TEST(ClientProtocolPolicy, ItsPropertiesAreTheConnectionsAndNoOthers) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->send_buffer_size(40 * 1024);
  properties->keep_alive(true);
  properties->no_delay(false);
  properties->traffic_class(34);
  properties->priority(4);
  const auto special =
      with(echo, {rt->create_client_protocol_policy({Protocol(TCP_PROTOCOL_TYPE, {}, properties)})});
  echo->nothing();
  special->nothing();
  EXPECT_EQ(connections(AF_INET), 4);
  int with_properties = 0;
  for (const OpenSocket& socket : open_sockets()) {
    if (socket.family != AF_INET || socket.option(IPPROTO_IP, IP_TOS) == 0) continue;
    ++with_properties;
    EXPECT_EQ(socket.option(IPPROTO_IP, IP_TOS), 34 << 2);
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_PRIORITY), 4);
    EXPECT_EQ(socket.option(SOL_SOCKET, SO_SNDBUF), 2 * 40 * 1024);
    EXPECT_NE(socket.option(SOL_SOCKET, SO_KEEPALIVE), 0);
    EXPECT_EQ(socket.option(IPPROTO_TCP, TCP_NODELAY), 0);
  }
  EXPECT_EQ(with_properties, 1);
}

TEST(ClientProtocolPolicy, HoldsForConnectionsThatAreOpenedBeforehand) {
  const Served served("iiop://127.0.0.1:0", {"-ORBSchedulingClass", "other"});
  const auto rt = rt_of(served.server);
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0);
  const auto echo = served.echo_in(
      served.make_poa({rt->create_threadpool_policy(pool),
                       rt->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED, 10)}));
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->traffic_class(34);
  const auto special = with(
      echo,
      {rt_of(served.client)->create_client_protocol_policy({Protocol(TCP_PROTOCOL_TYPE, {}, properties)})});
  CORBA::PolicyList inconsistent;
  EXPECT_TRUE(special->_validate_connection(inconsistent));
  EXPECT_EQ(std::ranges::count_if(open_sockets(),
                                  [](const OpenSocket& socket) {
                                    return socket.family == AF_INET &&
                                           socket.option(IPPROTO_IP, IP_TOS) == 34 << 2;
                                  }),
            2)
      << "one for each lane";
  // Opening a connection causes no answer, so the server may not have accepted them yet.
  for (int i = 0; i < 500 && connections(AF_INET) < 4; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(connections(AF_INET), 4) << "and no others";
}

TEST(ServerProtocolPolicy, DecidesWhatReferencesSayAndInWhichOrder) {
  const Served served(both);
  const auto rt = rt_of(served.server);
  served.echo_in(served.make_poa({rt->create_server_protocol_policy({tcp, path})}))->nothing();
  EXPECT_EQ(connections(AF_INET), 2);
  EXPECT_EQ(connections(AF_UNIX), 0);
  served.echo_in(served.make_poa({rt->create_server_protocol_policy({path})}))->nothing();
  EXPECT_EQ(connections(AF_UNIX), 2);
}

TEST(ServerProtocolPolicy, AProtocolThatTheServerDoesNotHaveYetIsListenedTo) {
  for (const char* concurrency : server_concurrencies) {
    const Served served("iiop://127.0.0.1:0", {"-ORBServerConcurrency", concurrency});
    const auto poa = served.make_poa({rt_of(served.server)->create_server_protocol_policy({path})});
    EXPECT_EQ(served.echo_in(poa)->cube(3), 27) << concurrency;
    EXPECT_EQ(connections(AF_UNIX), 2) << concurrency;
  }
}

TEST(ServerProtocolPolicy, PropertiesGetAPortOfTheirOwn) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.server);
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->recv_buffer_size(48 * 1024);
  properties->traffic_class(46);
  const CORBA::PolicyList policies{
      rt->create_server_protocol_policy({Protocol(TCP_PROTOCOL_TYPE, {}, properties)})};
  const auto usual = served.echo_in(served.root), special = served.echo_in(served.make_poa(policies));
  usual->nothing();
  special->nothing();
  // Over the same port, and therefore the same connection.
  served.echo_in(served.make_poa(policies))->nothing();
  EXPECT_EQ(connections(AF_INET), 4);
  int with_properties = 0;
  for (const OpenSocket& socket : open_sockets())
    if (socket.family == AF_INET && socket.option(IPPROTO_IP, IP_TOS) == 46 << 2) {
      ++with_properties;
      EXPECT_EQ(socket.option(SOL_SOCKET, SO_RCVBUF), 2 * 48 * 1024);
    }
  EXPECT_EQ(with_properties, 1);
}

TEST(ServerProtocolPolicy, ChoosesAmongTheAddressesOfLanes) {
  const Served served(both, {"-ORBSchedulingClass", "other"});
  const auto rt = rt_of(served.server);
  const auto pool = rt->create_threadpool(0, 1, 0, 10, false, 0, 0);
  const auto threads = rt->create_threadpool_policy(pool);
  served.echo_in(served.make_poa({threads, rt->create_server_protocol_policy({tcp})}))->nothing();
  EXPECT_EQ(connections(AF_UNIX), 0);
  EXPECT_EQ(connections(AF_INET), 2);
}

TEST(ProtocolPolicies, ListsThatCannotBeAreRefused) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.server);
  const auto for_path = rt->create_unix_domain_protocol_properties(0, 0);
  const auto for_memory = rt->create_shared_memory_protocol_properties(0, 0, false, false, true, 0, "", "");
  const auto too_much = CORBA::make_reference<takt::SocketProperties>();
  too_much->traffic_class(64);
  const std::vector<ProtocolList> wrong{{},
                                        {tcp, tcp},
                                        {lite_tcp, lite_tcp},
                                        {Protocol(77)},
                                        {Protocol(TCP_PROTOCOL_TYPE, {}, for_path)},
                                        {Protocol(TCP_PROTOCOL_TYPE, for_path)},
                                        {Protocol(TCP_PROTOCOL_TYPE, {}, for_memory)},
                                        {Protocol(takt::SHARED_MEMORY_PROTOCOL_TYPE, {}, for_path)},
                                        {Protocol(TCP_PROTOCOL_TYPE, {}, too_much)}};
  for (const ProtocolList& list : wrong) {
    EXPECT_THROW(rt->create_server_protocol_policy(list), CORBA::BAD_PARAM);
    EXPECT_THROW(rt->create_client_protocol_policy(list), CORBA::BAD_PARAM);
  }
}

// This process's mappings of connection memory: total octets, and number of mappings.
struct RingMemory {
  long bytes = 0, present = 0;
};
RingMemory ring_memory() {
  std::ifstream maps("/proc/self/smaps");
  RingMemory memory;
  bool ours = false;
  long number = 0;
  for (std::string line; std::getline(maps, line);) {
    if (line.find("takt-connection") != line.npos) ours = true;
    if (ours && std::sscanf(line.c_str(), "Size: %ld", &number) == 1) memory.bytes += number * 1024;
    if (ours && std::sscanf(line.c_str(), "Rss: %ld", &number) == 1) {
      memory.present += number * 1024;
      ours = false;
    }
  }
  return memory;
}

TEST(ProtocolPolicies, SharedMemoryHasRingsOfTheSizesAskedFor) {
  const Served served("iiop://127.0.0.1:0,shm:", {}, {"-ORBLentMemory", "64KiB"});
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  const RingMemory before = ring_memory();
  // The client's and the server's end of the connection are both in this process.
  const auto properties =
      rt->create_shared_memory_protocol_properties(20'000, 0, false, false, true, 1'000'000, "", "");
  with(echo,
       {rt->create_client_protocol_policy({Protocol(takt::SHARED_MEMORY_PROTOCOL_TYPE, {}, properties)})})
      ->nothing();
  constexpr long rings = 4096 + 32'768 + (1 << 20), lent = 65'536;  // per direction
  EXPECT_EQ(ring_memory().bytes - before.bytes, 2 * (rings + 2 * lent));
  EXPECT_GE(ring_memory().present - before.present, rings) << "the client's are all there";
  EXPECT_EQ(connections(AF_INET), 0);
}

TEST(ServerProtocolPolicy, ListensAtSharedMemoryForAnAdapter) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.server);
  const Protocol shm(takt::SHARED_MEMORY_PROTOCOL_TYPE);
  served.echo_in(served.make_poa({rt->create_server_protocol_policy({shm})}))->nothing();
  EXPECT_EQ(connections(AF_INET), 0);
  EXPECT_EQ(connections(AF_UNIX), 2);
}

TEST(Messaging, IsChosenBeforeAnythingIsSent) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  const auto strict = with(echo, {rt->create_client_protocol_policy({lite_tcp})});
  EXPECT_THROW(strict->nothing(), CORBA::INV_POLICY);
  EXPECT_EQ(connections(AF_INET), 0);
  CORBA::PolicyList inconsistent;
  EXPECT_FALSE(strict->_validate_connection(inconsistent));
  ASSERT_EQ(inconsistent.size(), 1u);
  EXPECT_EQ(inconsistent[0]->policy_type(), RTCORBA::CLIENT_PROTOCOL_POLICY_TYPE);
  EXPECT_EQ(with(echo, {rt->create_client_protocol_policy({lite_tcp, tcp})})->cube(3), 27);
}

TEST(Messaging, OfAnAdapterHasAPortOfItsOwnAndServesBoth) {
  for (const char* concurrency : server_concurrencies) {
    const Served served("iiop://127.0.0.1:0", {"-ORBServerConcurrency", concurrency});
    const auto poa = served.make_poa({rt_of(served.server)->create_server_protocol_policy({lite_tcp})});
    const auto usual = served.echo_in(served.root), fast = served.echo_in(poa);
    const auto strict = with(fast, {rt_of(served.client)->create_client_protocol_policy({lite_tcp})});
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(usual->cube(3), 27) << concurrency;
      EXPECT_EQ(fast->cube(3), 27) << concurrency;
      EXPECT_EQ(strict->cube(3), 27) << concurrency;
    }
    EXPECT_EQ(connections(AF_INET), 6) << "at two ports, and at one of them with either";
  }
}

TEST(Messaging, EachWayToShareConnectionsKeepsToIt) {
  for (const char* sharing : {"exclusive", "multiplexed", "multiplexed-active"}) {
    const Served served("iiop://127.0.0.1:0", {"-ORBMessaging", "giop-lite"},
                        {"-ORBClientConnections", sharing});
    const auto rt = rt_of(served.client);
    const auto echo = served.echo_in(served.root);
    const auto fast = with(echo, {rt->create_client_protocol_policy({lite_tcp})});
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(echo->cube(3), 27) << sharing;
      EXPECT_EQ(fast->cube(3), 27) << sharing;
    }
    EXPECT_EQ(connections(AF_INET), 4) << sharing;
  }
}

TEST(Messaging, ConnectionsThatCarryNoneOfItAreRefusedWhereNothingElseWillDo) {
  const Served served("iiop://127.0.0.1:0", {"-ORBMessaging", "giop-lite"},
                      {"-ORBClientConnections", "cached"});
  const auto rt = rt_of(served.client);
  const auto echo = served.echo_in(served.root);
  EXPECT_THROW(with(echo, {rt->create_client_protocol_policy({lite_tcp})})->cube(3), CORBA::INV_POLICY);
  EXPECT_EQ(with(echo, {rt->create_client_protocol_policy({lite_tcp, tcp})})->cube(3), 27);
}

// As after a restart with another setting.
TEST(Messaging, AServerThatIsOtherThanItsReferencesSayIsFoundOut) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.client);
  auto ior = takt::reference::ior_from_text(served.ior_in(served.root)).value();
  auto profile = takt::giop::read_iiop_profile(ior.profiles[0]).value();
  profile.components.push_back(takt::giop::make_lite_component());
  ior.profiles[0] = takt::giop::write_iiop_profile(profile);
  const auto echo =
      IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(takt::reference::ior_to_text(ior)));
  const auto lenient = with(echo, {rt->create_client_protocol_policy({lite_tcp, tcp})});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(lenient->cube(3), 27);
  std::jthread([&] {  // has no connection that knows already
    const auto strict = with(echo, {rt->create_client_protocol_policy({lite_tcp})});
    EXPECT_EQ(strict->cube(3), 27) << "which has found it out";
    EXPECT_THROW(strict->cube(3), CORBA::INV_POLICY);
    EXPECT_THROW(strict->nothing(), CORBA::INV_POLICY);
    EXPECT_THROW(with(strict, {rt->create_client_protocol_policy({lite_tcp})})->nothing(), CORBA::INV_POLICY);
    EXPECT_EQ(lenient->cube(3), 27);
  })
      .join();
}

TEST(Messaging, WhatAnOrbCannotSpeakIsRefused) {
  const Served served("iiop://127.0.0.1:0", {"-ORBFragmentSize", "4KiB"}, {"-ORBGIOPVersion", "1.1"});
  EXPECT_THROW(rt_of(served.client)->create_client_protocol_policy({lite_tcp}), CORBA::BAD_PARAM);
  EXPECT_THROW(rt_of(served.server)->create_server_protocol_policy({lite_tcp}), CORBA::BAD_PARAM);
  const auto policy = CORBA::make_reference<RTCORBA::ServerProtocolPolicy>(ProtocolList{lite_tcp});
  EXPECT_THROW(served.make_poa({policy}), PortableServer::POA::InvalidPolicy);
  EXPECT_THROW(rt_of(served.server)->create_server_protocol_policy({giop_tcp, tcp}), CORBA::BAD_PARAM)
      << "one port speaks either";
}

TEST(Messaging, OfLanesIsTheOrbsOrAsThePolicySays) {
  const Served served("iiop://127.0.0.1:0", {"-ORBSchedulingClass", "other", "-ORBMessaging", "giop-lite"});
  const auto rt = rt_of(served.server);
  const auto threads = rt->create_threadpool_policy(rt->create_threadpool(0, 1, 0, 10, false, 0, 0));
  const auto poa = served.make_poa({threads, rt->create_server_protocol_policy({lite_tcp})});
  const auto strict =
      with(served.echo_in(poa), {rt_of(served.client)->create_client_protocol_policy({lite_tcp})});
  for (int i = 0; i < 3; ++i) EXPECT_EQ(strict->cube(3), 27);
  const auto plain =
      served.echo_in(served.make_poa({threads, rt->create_server_protocol_policy({giop_tcp})}));
  EXPECT_EQ(plain->cube(3), 27);
  EXPECT_THROW(with(plain, {rt_of(served.client)->create_client_protocol_policy({lite_tcp})})->nothing(),
               CORBA::INV_POLICY);
}

TEST(ProtocolPolicies, EachIsForItsSide) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.server);
  const auto for_server = rt->create_server_protocol_policy({tcp});
  EXPECT_THROW(served.make_poa({rt->create_client_protocol_policy({tcp})}),
               PortableServer::POA::InvalidPolicy);
  EXPECT_THROW(with(served.echo_in(served.root), {for_server}), CORBA::NO_PERMISSION);
}

}  // namespace
}  // namespace feature
