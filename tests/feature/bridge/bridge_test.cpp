// Calls through a bridge behave as calls without one, between all transports and in every architecture.
#include <atomic>
#include <latch>

#include <takt/adapter/direct.h>
#include <takt/reference/quality.h>
#include <takt/rt/rtcorba.h>

#include "../folder.h"
#include "bridged.h"
#include "certificates.h"

namespace feature {
namespace {

constexpr const char* any_port = "iiop://127.0.0.1:0";

void expect_calls_work(const EchoRef& echo) {
  ASSERT_TRUE(echo);
  EXPECT_EQ(echo->cube(3), 27);
  echo->nothing();
  std::string b = "\xc3\xa4", c;  // a-umlaut in UTF-8
  EXPECT_EQ(echo->join("\xe2\x82\xac", b, c), "<\xe2\x82\xac\xc3\xa4>");
  EXPECT_EQ(b, "\xc3\xa4!");
  const Calls::Points points{{1, 2.5, "one"}, {-3, 0.25, "other"}};
  EXPECT_EQ(echo->echo_points(points).at(1).label(), "other");
  for (const std::size_t size : {0, 1, 8191, 8192, 32 * 1024, 40'000, 3'000'000}) {
    Calls::Octets octets(size);
    for (std::size_t i = 0; i < size; ++i) octets[i] = static_cast<std::uint8_t>(i * 31);
    EXPECT_EQ(echo->echo_octets(octets), octets) << size;
  }
  try {
    echo->refuse("no");
    ADD_FAILURE() << "nothing was raised";
  } catch (const Calls::Refused& refused) {
    EXPECT_EQ(refused.why(), "no");
    EXPECT_EQ(refused.code(), 42);
  }
  try {
    echo->fail_with_system_exception();
    ADD_FAILURE() << "nothing was raised";
  } catch (const CORBA::NO_RESOURCES& failure) {
    EXPECT_EQ(failure.minor(), 7u);
    EXPECT_EQ(failure.completed(), CORBA::COMPLETED_YES);
  }
  EXPECT_TRUE(echo->_is_a("IDL:Calls/Base:1.0"));
  EXPECT_FALSE(echo->_non_existent());
}

TEST(Bridge, LeavesItsOrbsOwnObjectsToDirectCalls) {
  const BridgeOrb bridge(any_port);
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(bridge.orb->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->activate();
  const auto id = poa->activate_object(CORBA::make_reference<EchoServant>());
  const auto echo = IDL::traits<Calls::Echo>::narrow(poa->id_to_reference(id));
  EXPECT_EQ(echo->cube(2), 8);
  const takt::Direct<Calls::Echo> direct(echo);
  EXPECT_EQ(direct->cube(3), 27);
}

TEST(Bridge, JoinsTransports) {
  const Folder sockets;
  const takt::test::Authority authority;
  const auto own = authority.issue({.name = "bridge"});
  const Options tls{"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey",
                    own.key_file,         "-ORBTLSAuthorities", authority.file()};
  const std::vector<std::string> endpoints{any_port, "unix:" + sockets / "u", "shm:" + sockets / "s",
                                           "ssliop://127.0.0.1:0", "udp://127.0.0.1:0"};
  for (const std::string& inner : endpoints)
    for (const std::string& outer : endpoints) {
      if (inner == outer && inner != any_port) continue;
      SCOPED_TRACE(outer + " to " + inner);
      const EchoServer server(inner, tls);
      BridgeOrb bridge(outer, tls);
      const Client client(tls);
      const std::string reference = bridge.publish(server.serve());
      const auto echo = client.echo(reference);
      expect_calls_work(echo);
      echo->note(7);
      EXPECT_EQ(echo->noted(), 7);  // sent after the oneway
      EXPECT_GE(bridge.bridge.counts().requests, 16u);
      EXPECT_EQ(bridge.bridge.counts().failures, 0u);
      EXPECT_EQ(bridge.bridge.counts().replies, bridge.bridge.counts().requests - 1);  // one is a oneway
    }
}

TEST(Bridge, WorksInEveryArchitecture) {
  for (const char* concurrency : server_concurrencies)
    for (const char* connections : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
      SCOPED_TRACE(std::string(concurrency) + " " + connections);
      const EchoServer server(any_port);
      BridgeOrb bridge(any_port, {"-ORBServerConcurrency", concurrency, "-ORBClientConnections", connections,
                                  "-ORBSendQueueSize", "64MiB"});
      const Client client({"-ORBClientConnections", "multiplexed"});
      const auto echo = client.echo(bridge.publish(server.serve()));
      std::vector<std::jthread> threads;
      for (int i = 0; i < 4; ++i)
        threads.emplace_back([&] {
          try {
            expect_calls_work(echo);
          } catch (const CORBA::Exception& failure) {
            ADD_FAILURE() << concurrency << " " << connections << " " << failure.what() << " "
                          << bridge.bridge.counts().last_failure;
          }
        });
    }
}

TEST(Bridge, PassesEveryVersionOfGiopOn) {
  for (const char* version : {"1.0", "1.1", "1.2"}) {
    SCOPED_TRACE(version);
    const EchoServer server(any_port, {"-ORBGIOPVersion", version});
    BridgeOrb bridge(any_port);
    const Client client;
    const auto echo = client.echo(bridge.publish(server.serve()));
    const Calls::Points points{{1, 2.5, "one"}, {-3, 0.25, "other"}};
    EXPECT_EQ(echo->echo_points(points).at(1).y(), 0.25);
    EXPECT_EQ(echo->echo_octets(Calls::Octets(100'000, 9)).size(), 100'000u);
    EXPECT_THROW(echo->refuse("no"), Calls::Refused);
  }
}

TEST(Bridge, KeepsTheCodeSetsOfEachClient) {
  const EchoServer server(any_port);
  BridgeOrb bridge(any_port, {"-ORBClientConnections", "multiplexed"});
  const Client client, other({"-ORBCharCodeSet", "ISO-8859-1"});
  const std::string reference = bridge.publish(server.serve());
  const auto one = client.echo(reference), two = other.echo(reference);
  for (int i = 0; i < 3; ++i)
    for (const auto& echo : {one, two}) {
      std::string b = "\xc3\xa4", c;
      EXPECT_EQ(echo->join("\xc3\xb6", b, c), "<\xc3\xb6\xc3\xa4>");
    }
}

TEST(Bridge, LeadsOnlyToWhatWasPublished) {
  const EchoServer server(any_port);
  BridgeOrb bridge(any_port);
  const Client client;
  const std::string inside = server.serve();  // not published
  const auto reference = bridge.publish(server.serve(), "Echo");
  const std::string place = bridge.orb->_published_endpoints().front();
  const std::string address = place.substr(place.find("127.0.0.1"));
  EXPECT_EQ(client.echo("corbaloc:iiop:1.2@" + address + "/Echo")->cube(2), 8);
  const auto passed_on = bridge.bridge.counts().requests;
  EXPECT_THROW(client.echo("corbaloc:iiop:1.2@" + address + "/Other"), CORBA::OBJECT_NOT_EXIST);
  EXPECT_EQ(bridge.bridge.counts().requests, passed_on);
  EXPECT_EQ(client.echo(reference)->cube(2), 8);
}

TEST(Bridge, TakesNoReferenceThatLeadsNowhereOrToItself) {
  const EchoServer server(any_port);
  BridgeOrb bridge(any_port);
  const std::string inside = server.serve();
  const std::string published = bridge.publish(inside);
  EXPECT_THROW(bridge.publish(inside), CORBA::BAD_PARAM);  // the key is taken
  EXPECT_NO_THROW(bridge.publish(inside, "another"));
  EXPECT_THROW(bridge.publish(published, "again"), CORBA::BAD_PARAM);
  EXPECT_THROW(bridge.bridge.publish(nullptr), CORBA::BAD_PARAM);
  bridge.publish_server(inside);
  EXPECT_THROW(bridge.publish_server(inside), CORBA::BAD_PARAM);
  EXPECT_THROW(takt::Bridge::over(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(takt::Bridge::over(bridge.orb), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(takt::Bridge::over(server.orb), CORBA::BAD_INV_ORDER);
  EXPECT_EQ(Client().echo(published)->cube(2), 8);  // the bridge still works
}

TEST(Bridge, WhereItCannotListenItMayTryAgain) {
  const Folder sockets;
  const std::string folder = sockets / "not-yet";
  const Orb orb = make_orb({"-ORBListenEndpoints", "unix:" + folder + "/bridge"}, "bridge");
  EXPECT_THROW(takt::Bridge::over(orb), CORBA::INITIALIZE);
  std::filesystem::create_directory(folder);
  const EchoServer server(any_port);
  auto bridge = takt::Bridge::over(orb);
  const auto published = bridge.publish(orb->string_to_object(server.serve()));
  EXPECT_EQ(Client().echo(orb->object_to_string(published))->cube(2), 8);
  orb->destroy();
}

// The server publishes the bridge's address, so that references in its replies lead through the bridge.
TEST(Bridge, AServersOwnReferencesLeadThroughIt) {
  const Folder sockets;
  const EchoServer server("unix:" + sockets / "server",
                          {"-ORBPublishedEndpoints", "unix:" + sockets / "bridge"});
  BridgeOrb bridge("unix:" + sockets / "bridge");
  const std::string key_and_path = server.serve();
  bridge.publish_server("corbaloc:uiop:1.2@" + sockets / "server|Any");
  const Client client;
  const auto echo = client.echo(key_and_path);
  EXPECT_EQ(echo->itself()->cube(3), 27);
  EXPECT_EQ(echo->itself()->itself()->cube(2), 8);
  EXPECT_GE(bridge.bridge.counts().requests, 4u);
}

TEST(Bridge, FollowsForwardingItself) {
  const EchoServer elsewhere(any_port), server(any_port);
  server.orb->register_object_key("Moved", server.orb->string_to_object(elsewhere.serve()));
  const std::string place = server.orb->_published_endpoints().front();
  BridgeOrb bridge(any_port);
  const std::string outer =
      bridge.publish("corbaloc:iiop:1.2@" + place.substr(place.find("127.0.0.1")) + "/Moved", "Moved");
  const Client client;
  const auto echo = IDL::traits<Calls::Echo>::narrow(client.orb->string_to_object(outer));
  for (std::uint8_t i = 1; i < 4; ++i) EXPECT_EQ(echo->cube(i), i * i * i);
  EXPECT_EQ(bridge.bridge.counts().requests, bridge.bridge.counts().replies);
  EXPECT_GE(bridge.bridge.counts().replies, 3u);  // the client kept using the bridge
}

class Waiting final : public EchoServant {
 public:
  void nothing() override {
    begun.count_down();
    released.wait();
  }
  std::latch begun{1}, released{1};
};

TEST(Bridge, AServerThatStallsCostsItsOwnClientsOnly) {
  const EchoServer stalling(any_port), server(any_port);
  BridgeOrb bridge(any_port);
  const auto servant = CORBA::make_reference<Waiting>();
  const Client client;
  const auto slow = client.echo(bridge.publish(stalling.serve(servant), "slow"));
  const auto quick = client.echo(bridge.publish(server.serve(), "quick"));
  std::jthread stalled([&] { slow->nothing(); });
  servant->begun.wait();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(quick->cube(2), 8);
  servant->released.count_down();
}

TEST(Bridge, AServerThatDoesNotAnswerIsGivenUp) {
  const EchoServer server(any_port);
  BridgeOrb bridge(any_port, {"-ORBRoundTripTimeout", "1s"});
  const auto servant = CORBA::make_reference<Waiting>();
  const Client client;
  const auto slow = client.echo(bridge.publish(server.serve(servant)));
  try {
    slow->nothing();
    ADD_FAILURE() << "nothing was raised";
  } catch (const CORBA::TIMEOUT& timeout) {
    EXPECT_EQ(timeout.completed(), CORBA::COMPLETED_MAYBE);
  }
  servant->released.count_down();
  EXPECT_EQ(bridge.bridge.counts().failures, 1u);
  EXPECT_NE(bridge.bridge.counts().last_failure.find("TIMEOUT"), std::string::npos);
  EXPECT_EQ(slow->cube(2), 8);  // over another connection
}

class Urgent final : public EchoServant {
 public:
  void nothing() override { saw_deadline = takt::present_quality() != nullptr; }
  std::atomic<bool> saw_deadline{false};
};

TEST(Bridge, CarriesDeadlinesOn) {
  const EchoServer server(any_port);
  BridgeOrb bridge(any_port);
  const auto servant = CORBA::make_reference<Urgent>();
  const Client client;
  const auto echo = client.echo(bridge.publish(server.serve(servant)));
  echo->nothing();
  EXPECT_FALSE(servant->saw_deadline);
  {
    const takt::DeadlineScope soon(std::chrono::seconds(20));
    echo->nothing();
  }
  EXPECT_TRUE(servant->saw_deadline);
}

template <class Interface>
typename IDL::traits<Interface>::ref_type initial(const Orb& orb, const char* name) {
  return IDL::traits<Interface>::narrow(orb->resolve_initial_references(name));
}

class Ranked final : public EchoServant {
 public:
  explicit Ranked(Orb orb) : orb_(std::move(orb)) {}
  int32_t noted() override { return initial<RTCORBA::Current>(orb_, "RTCurrent")->the_priority(); }

 private:
  const Orb orb_;
};

TEST(Bridge, CarriesPrioritiesOnToTheLaneThatServesThem) {
  const Options scheduling{"-ORBSchedulingClass", "other", "-ORBPriorityMapping", "linear"};
  const EchoServer server(any_port, scheduling);
  BridgeOrb bridge(any_port, scheduling);
  const Client client(scheduling);
  const auto rt = initial<RTCORBA::RTORB>(server.orb, "RTORB");
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0);
  const auto poa = server.poa->create_POA(
      "ranked", server.poa->the_POAManager(),
      {rt->create_threadpool_policy(pool),
       rt->create_priority_model_policy(RTCORBA::PriorityModel::CLIENT_PROPAGATED, 10)});
  const auto id = poa->activate_object(CORBA::make_reference<Ranked>(server.orb));
  const auto echo = client.echo(bridge.publish(server.orb->object_to_string(poa->id_to_reference(id))));
  const auto current = initial<RTCORBA::Current>(client.orb, "RTCurrent");
  std::jthread([&] {
    for (const std::int16_t priority : {10, 20, 10}) {
      current->the_priority(priority);
      EXPECT_EQ(echo->noted(), priority);
    }
  });
}

TEST(Bridge, SaysWhatItCannotReach) {
  BridgeOrb bridge(any_port);
  std::string inside;
  {
    const EchoServer server(any_port);
    inside = server.serve();
  }
  const Client client;
  const auto echo = client.orb->string_to_object(bridge.publish(inside));
  EXPECT_THROW(echo->_non_existent(), CORBA::TRANSIENT);
  EXPECT_NE(bridge.bridge.counts().last_failure.find("127.0.0.1"), std::string::npos)
      << bridge.bridge.counts().last_failure;
}

}  // namespace
}  // namespace feature
