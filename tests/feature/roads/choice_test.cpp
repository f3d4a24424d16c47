// Which road calls take, by options and policies of both ends.
#include <takt/orb/bridge.h>
#include <takt/orb/configuration.h>
#include <takt/rt/rtcorba.h>

#include "roads.h"

namespace feature {
namespace {

using CORBA::SetOverrideType;
constexpr const char* tcp = "iiop://127.0.0.1:0";

class Pair : public Served {
 public:
  explicit Pair(const Options& server_options = on, const Options& client_options = on,
                const std::string& endpoints = tcp)
      : Served(endpoints, server_options, client_options), ior(ior_in(root)) {}
  EchoRef fresh() const { return IDL::traits<Calls::Echo>::narrow(client->string_to_object(ior)); }
  auto call() const {
    return [this] { EXPECT_EQ(fresh()->cube(3), 27); };
  }
  const std::string ior;
};

TEST(LocalRoads, SwitchedOffCallsGoByTcpAndReferencesOfferNothing) {
  const Pair served({"-ORBLocalRoads", "off"}, on);
  served.call()();
  EXPECT_FALSE(has_offer(served.ior));
  EXPECT_EQ(connections(AF_UNIX), 0);
  EXPECT_EQ(connections(AF_INET), 2);
}

TEST(LocalRoads, AreTheDefault) {
  ::unsetenv("TAKT_LOCAL_ROADS");  // set for all tests
  const Options patient{"-ORBLocalRoadTimeout", "5s"};
  const Pair served(patient, patient);
  served.call()();
  EXPECT_TRUE(has_offer(served.ior));
  EXPECT_EQ(taken("shm"), 1);
}

TEST(LocalRoads, PersonalitiesWithDeadlinesOrLittleMemoryDoWithout) {
  ::unsetenv("TAKT_LOCAL_ROADS");
  for (const char* personality : {"realtime", "minimal"}) {
    const Pair served({"-ORBPersonality", personality, "-ORBLogLevel", "off"}, {});
    served.call()();
    EXPECT_FALSE(has_offer(served.ior)) << personality;
  }
}

TEST(LocalRoads, AClientThatHasThemOffIgnoresTheOffer) {
  const Pair served(on, {"-ORBLocalRoads", "off"});
  served.call()();
  EXPECT_TRUE(has_offer(served.ior));
  EXPECT_EQ(connections(AF_UNIX), 0);
}

TEST(LocalRoads, SharedMemoryComesFirst) {
  const Pair served;
  served.call()();
  EXPECT_EQ(taken("shm"), 1);
  EXPECT_EQ(taken("unix"), 0);
  expect_calls_of_all_lengths(served.fresh(), "by roads");
}

TEST(LocalRoads, EachEndMayKnowOnlyOne) {
  {
    const Pair served(with(on, {"-ORBLocalRoads", "unix"}), on);
    served.call()();
    EXPECT_EQ(taken("unix"), 1);
    EXPECT_EQ(taken("shm"), 0);
    expect_calls_of_all_lengths(served.fresh(), "by UNIX-domain sockets");
  }
  {
    const Pair served(on, with(on, {"-ORBLocalRoads", "unix"}));
    served.call()();
    EXPECT_EQ(taken("unix"), 1);
    EXPECT_EQ(taken("shm"), 0);
  }
  const Pair served(with(on, {"-ORBLocalRoads", "shm"}), with(on, {"-ORBLocalRoads", "unix"}));
  served.call()();
  EXPECT_EQ(connections(AF_UNIX), 0);
}

TEST(LocalRoads, EveryServerArchitectureAndConnectionStrategyHasThem) {
  for (const char* concurrency : {"reactive", "leader-followers", "worker-pool", "thread-per-connection"})
    for (const char* kind : {"shm", "unix"}) {
      const Pair served(with(on, {"-ORBLocalRoads", kind, "-ORBServerConcurrency", concurrency}), on);
      served.call()();
      EXPECT_EQ(taken(kind), 1) << concurrency;
    }
  for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    const Pair served(on, with(on, {"-ORBClientConnections", connections}));
    served.call()();
    EXPECT_EQ(taken("shm"), 1) << connections;
    expect_calls_of_all_lengths(served.fresh(), connections);
  }
}

TEST(LocalRoads, TcpByPolicyIsTcpAndSharesNoConnectionWithOthers) {
  const Pair served;
  served.call()();
  EXPECT_EQ(taken("shm"), 1);
  const auto policy =
      rt_of(served.client)->create_client_protocol_policy({RTCORBA::Protocol(takt::TCP_PROTOCOL_TYPE)});
  const long roads = taken("shm"), before = connections(AF_INET);
  const auto by_tcp = IDL::traits<Calls::Echo>::narrow(
      served.fresh()->_set_policy_overrides({policy}, SetOverrideType::SET_OVERRIDE));
  EXPECT_EQ(by_tcp->cube(2), 8);
  EXPECT_EQ(connections(AF_INET), before + 2);
  EXPECT_EQ(taken("shm"), roads);
}

TEST(LocalRoads, AnAdapterThatChoosesTcpOffersNone) {
  const Pair served;
  const auto rt = rt_of(served.server);
  const auto poa =
      served.make_poa({rt->create_server_protocol_policy({RTCORBA::Protocol(takt::TCP_PROTOCOL_TYPE)})});
  EXPECT_FALSE(has_offer(served.ior_in(poa)));
}

TEST(LocalRoads, LanesHaveRoadsOfTheirOwn) {
  const Options scheduling{"-ORBSchedulingClass", "other", "-ORBPriorityMapping", "linear"};
  const Pair served(with(on, scheduling), with(on, scheduling));
  const auto rt = rt_of(served.server);
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0);
  const auto poa =
      served.make_poa({rt->create_threadpool_policy(pool),
                       rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 20)});
  const std::string ior = served.ior_in(poa);
  ASSERT_TRUE(has_offer(ior));
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(served.client->string_to_object(ior))->cube(3), 27);
  ASSERT_EQ(taken("shm"), 1);
  EXPECT_TRUE(roads_taken().front().starts_with("takt-road-" + std::to_string(port_in(ior)) + "-"));
  EXPECT_NE(port_in(ior), port_in(served.ior));
}

TEST(LocalRoads, TlsThatIsDemandedForbidsThem) {
  EXPECT_FALSE(has_offer(Pair(with(on, {"-ORBTLSClientCertificates", "required"})).ior));
}

TEST(LocalRoads, AServerBehindOtherAddressesOffersNone) {
  const Pair served(with(on, {"-ORBPublishedEndpoints", "iiop://127.0.0.1:0"}));
  EXPECT_FALSE(has_offer(served.ior));
  EXPECT_TRUE(has_offer(Pair(with(on, {"-ORBPublishedEndpoints", "own"})).ior));
}

TEST(LocalRoads, AServerAtAllAddressesHasOneSocketForEachRoad) {
  const Pair served(on, on, "iiop://:0");
  served.call()();
  EXPECT_EQ(taken("shm"), 1);
}

TEST(LocalRoads, OffersInTheReferencesOfAServerBehindABridgeAreNotForTheBridge) {
  // A bridge calls for clients elsewhere, so it goes by TCP; its own clients take its roads.
  const Pair inner;
  const Orb orb = make_orb(with(on, {"-ORBListenEndpoints", tcp}), "bridge");
  takt::Bridge bridge = takt::Bridge::over(orb);
  std::thread running([&] { orb->run(); });
  const std::string outside = orb->object_to_string(bridge.publish(orb->string_to_object(inner.ior)));
  EXPECT_TRUE(has_offer(outside));
  EXPECT_NE(port_in(outside), port_in(inner.ior));
  EXPECT_EQ(IDL::traits<Calls::Echo>::narrow(inner.client->string_to_object(outside))->cube(3), 27);
  ASSERT_EQ(taken("shm"), 1);
  EXPECT_TRUE(roads_taken().front().starts_with("takt-road-" + std::to_string(port_in(outside)) + "-"));
  orb->shutdown(true);
  running.join();
  orb->destroy();
}

TEST(LocalRoads, EndpointsThatAreAddedLaterHaveThem) {
  const Pair served;
  takt::Configuration::of(served.server).add("ListenEndpoints", "iiop://127.0.0.1:0");
  EXPECT_TRUE(has_offer(served.ior_in(served.root)));
}

TEST(LocalRoads, CallBacksByTheClientsConnectionStayOnTcp) {
  const Options both =
      with(on, {"-ORBBidirectionalPolicy", "both", "-ORBAcceptBidirectional", "same-address"});
  const Pair served(both, both);
  const Poa poa = root_poa(served.client);
  poa->the_POAManager()->activate();
  const auto mine = IDL::traits<Calls::Echo>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<EchoServant>())));
  EXPECT_EQ(served.fresh()->call_back(mine, 3), 28);
  EXPECT_EQ(taken("shm"), 0);
  EXPECT_EQ(connections(AF_INET), 2);
}

TEST(LocalRoads, ThereIsNoGroupOfThatName) {
  EXPECT_THROW(make_orb({"-ORBLocalGroup", "no such group"}, "wrong"), CORBA::INITIALIZE);
}

}  // namespace
}  // namespace feature
