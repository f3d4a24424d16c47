// How packets are marked (DSCP and SO_PRIORITY of both ends) by the priority of lanes, bands and threads, and
// by the class of calls.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <takt/reference/quality.h>

#include "certificates.h"
#include "served.h"

namespace feature {
namespace {

using CORBA::SetOverrideType;
using RTCORBA::PriorityModel;
using RTCORBA::Protocol;
using takt::CommunicationClass;
using takt::TCP_PROTOCOL_TYPE;

using Mark = std::pair<int, int>;  // DSCP and socket priority
using Marks = std::map<Mark, int>;
constexpr Mark unmarked{0, 0}, bulk{8, 2}, urgent{46, 6};

Marks marks(int family = AF_INET) {
  Marks found;
  const bool v6 = family == AF_INET6;
  for (const OpenSocket& socket : open_sockets())
    if (socket.family == family)
      ++found[{socket.option(v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_TCLASS : IP_TOS) >> 2,
               socket.option(SOL_SOCKET, SO_PRIORITY)}];
  return found;
}

// CORBA priorities are mapped to ordinary threads, so no test needs a privilege.
std::vector<std::string> plain(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"-ORBSchedulingClass", "other"});
  return more;
}
std::vector<std::string> by_priority(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"-ORBTrafficClasses", "10=8,40=46"});
  return plain(std::move(more));
}

// Each thread has connections of its own.
void in_a_thread(const std::function<void()>& work) { std::jthread(work).join(); }

void run_at(const Served& served, std::int16_t priority) {
  IDL::traits<RTCORBA::Current>::narrow(served.client->resolve_initial_references("RTCurrent"))
      ->the_priority(priority);
}

CORBA::PolicyList propagated(const Served& served, CORBA::PolicyList more = {}) {
  more.push_back(rt_of(served.server)->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10));
  return more;
}
CORBA::PolicyList in_lanes(const Served& served, CORBA::PolicyList more = {}, bool buffered = false,
                           const RTCORBA::ThreadpoolLanes& lanes = {{10, 1, 0}, {40, 1, 0}}) {
  const auto rt = rt_of(served.server);
  more.push_back(
      rt->create_threadpool_policy(rt->create_threadpool_with_lanes(0, lanes, false, buffered, 10, 100'000)));
  return propagated(served, std::move(more));
}
CORBA::PolicyList in_bands(const Served& served, CORBA::PolicyList more = {}) {
  more.push_back(rt_of(served.server)->create_priority_banded_connection_policy({{0, 20}, {21, 60}}));
  return propagated(served, std::move(more));
}

void call_at(const Served& served, const EchoRef& echo, const std::vector<std::int16_t>& priorities) {
  for (const std::int16_t priority : priorities) {
    run_at(served, priority);
    EXPECT_EQ(echo->cube(3), 27);
  }
}

Protocol with_classes(const takt::SocketProperties::ByPriority& classes,
                      std::uint32_t type = TCP_PROTOCOL_TYPE) {
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->traffic_classes(classes);
  return Protocol(type, {}, properties);
}

class LanesMarked : public testing::TestWithParam<bool> {};

TEST_P(LanesMarked, ByTheirPriorityInBothDirections) {
  const Served served("iiop://127.0.0.1:0", by_priority(), by_priority());
  const auto echo = served.echo_in(served.make_poa(in_lanes(served, {}, GetParam())));
  in_a_thread([&] {
    call_at(served, echo, {10, 40, 25, 50, 10});
    EXPECT_EQ(marks(), (Marks{{bulk, 2}, {urgent, 2}}));
  });
}

INSTANTIATE_TEST_SUITE_P(Lanes, LanesMarked, testing::Bool(),
                         [](const auto& one) { return one.param ? "buffered" : "direct"; });

TEST(Marking, IsOfEachSideByItsOwnOptions) {
  for (const bool server : {false, true}) {
    const Served served("iiop://127.0.0.1:0", server ? by_priority() : plain(),
                        server ? plain() : by_priority());
    const auto echo = served.echo_in(served.make_poa(in_lanes(served)));
    in_a_thread([&] {
      call_at(served, echo, {10, 40});
      EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {bulk, 1}, {urgent, 1}})) << server;
    });
  }
}

TEST(Marking, OfBandsIsThatOfTheirHighestPriority) {
  for (const char* concurrency : server_concurrencies) {
    const Served served("iiop://127.0.0.1:0", by_priority({"-ORBServerConcurrency", concurrency}),
                        by_priority());
    const auto echo = served.echo_in(served.make_poa(in_bands(served)));
    in_a_thread([&] {
      call_at(served, echo, {20, 45, 15});
      EXPECT_EQ(marks(), (Marks{{bulk, 2}, {urgent, 2}})) << concurrency;
    });
  }
}

TEST(Marking, FollowsTheThreadsPriorityWhereThereAreNeitherLanesNorBands) {
  const Served served("iiop://127.0.0.1:0", by_priority(), by_priority());
  const auto echo = served.echo_in(served.make_poa(propagated(served)));
  for (const char* kind : {"exclusive", "cached", "multiplexed", "multiplexed-active"}) {
    const Orb client = make_orb(by_priority({"-ORBClientConnections", kind}), kind);
    const auto there =
        IDL::traits<Calls::Echo>::narrow(client->string_to_object(served.client->object_to_string(echo)));
    in_a_thread([&] {
      call_at(served, there, {5, 12, 40, 39, 60, 0});
      EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {bulk, 2}, {urgent, 2}})) << kind;
    });
    client->destroy();
    for (int i = 0; i < 500 && connections(AF_INET) > 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

TEST(Marking, FollowsADeclaredPriority) {
  const Served served("iiop://127.0.0.1:0", plain(), by_priority());
  const auto echo = served.echo_in(served.make_poa(
      {rt_of(served.server)->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 40)}));
  in_a_thread([&] {
    call_at(served, echo, {10});
    EXPECT_EQ(marks(), (Marks{{unmarked, 1}, {urgent, 1}}));
  });
}

// More references than a thread remembers: they are bound repeatedly, each to its own priority.
TEST(Marking, HoldsForManyReferencesByTheirServersPriorities) {
  const Served served("iiop://127.0.0.1:0", plain(), by_priority());
  const auto rt = rt_of(served.server);
  const auto poa_of = [&](PriorityModel model, std::int16_t priority) {
    return served.make_poa({rt->create_priority_model_policy(model, priority)});
  };
  const Poa poas[] = {poa_of(PriorityModel::SERVER_DECLARED, 40), poa_of(PriorityModel::SERVER_DECLARED, 10),
                      poa_of(PriorityModel::CLIENT_PROPAGATED, 10), served.root};
  std::vector<EchoRef> echoes;
  for (int i = 0; i < 160; ++i) echoes.push_back(served.echo_in(poas[i % 4]));
  in_a_thread([&] {
    call_at(served, echoes[2], {0});
    for (int twice = 0; twice < 2; ++twice)
      for (const EchoRef& echo : echoes) EXPECT_EQ(echo->cube(3), 27);
    // The thread's priority applies to the third and the last.
    EXPECT_EQ(marks(), (Marks{{unmarked, 4}, {bulk, 1}, {urgent, 1}}));
    run_at(served, 50);
    for (const EchoRef& echo : echoes) EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(marks(), (Marks{{unmarked, 4}, {bulk, 1}, {urgent, 1}}));
  });
}

TEST(Marking, PrivateConnectionsHaveItToo) {
  const Served served("iiop://127.0.0.1:0", plain(), by_priority());
  const auto echo = served.echo_in(served.make_poa(propagated(served)));
  const auto own = IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
      {rt_of(served.client)->create_private_connection_policy()}, SetOverrideType::SET_OVERRIDE));
  in_a_thread([&] {
    call_at(served, echo, {40});
    call_at(served, own, {40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {urgent, 2}}));
  });
}

TEST(Marking, ConnectionsThatAreOpenedBeforehandAreThoseOfEachMarking) {
  const Served served("iiop://127.0.0.1:0", plain(), by_priority());
  const auto echo = served.echo_in(served.make_poa(propagated(served)));
  in_a_thread([&] {
    CORBA::PolicyList inconsistent;
    EXPECT_TRUE(echo->_validate_connection(inconsistent));
    const Marks before = marks();
    EXPECT_EQ(before.at(urgent), 1);
    EXPECT_EQ(before.at(bulk), 1);
    call_at(served, echo, {0, 10, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 4}, {bulk, 1}, {urgent, 1}}));
  });
}

TEST(Marking, TheSocketPriorityIsWhatTheOptionsSayIfTheyDo) {
  const Served served("iiop://127.0.0.1:0", by_priority({"-ORBSocketPriorities", "40=1"}),
                      by_priority({"-ORBSocketPriority", "3"}));
  const auto echo = served.echo_in(served.make_poa(in_lanes(served)));
  in_a_thread([&] {
    call_at(served, echo, {10, 40});
    EXPECT_EQ(marks(), (Marks{{{8, 3}, 1}, {{46, 3}, 1}, {bulk, 1}, {{46, 1}, 1}}));
  });
}

TEST(Marking, HoldsForIPv6UdpAndTls) {
  const takt::test::Authority authority;
  const auto own = authority.issue({.name = "lanes"});
  const std::vector<std::string> tls{"-ORBTLSCertificate", own.certificate_file, "-ORBTLSKey", own.key_file};
  for (const char* endpoint : {"iiop://[::1]:0", "udp://127.0.0.1:0", "ssliop://127.0.0.1:0"}) {
    const Served served(endpoint, by_priority(tls), by_priority({"-ORBTLSAuthorities", authority.file()}));
    for (const auto& policies : {in_lanes(served), in_bands(served)}) {
      const auto echo = served.echo_in(served.make_poa(policies));
      in_a_thread([&] {
        call_at(served, echo, {10, 40});
        const Marks seen = marks(endpoint[7] == '[' ? AF_INET6 : AF_INET);
        EXPECT_GE(seen.at(bulk), 2) << endpoint;
        EXPECT_GE(seen.at(urgent), 2) << endpoint;
        EXPECT_FALSE(seen.contains(unmarked)) << endpoint;
      });
    }
  }
}

TEST(Marking, IsNoReasonForMoreConnectionsWhereThereAreNoPackets) {
  const auto options = by_priority({"-ORBQualityTrafficClass", "on"});
  for (const char* endpoint : {"unix:", "shm:"}) {
    const Served served(endpoint, options, options);
    const auto echo = served.echo_in(served.make_poa(propagated(served)));
    in_a_thread([&] {
      call_at(served, echo, {0, 10, 40});
      const takt::QualityScope scope({.communication = CommunicationClass::burst});
      call_at(served, echo, {40});
      EXPECT_EQ(connections(AF_UNIX), 2) << endpoint;
    });
  }
}

// Protocol properties.

TEST_P(LanesMarked, ByPropertiesOfAnAdapter) {
  const Served served("iiop://127.0.0.1:0", plain(), plain());
  const auto policy =
      rt_of(served.server)->create_server_protocol_policy({with_classes({{10, 8}, {40, 46}})});
  const auto pool = in_lanes(served, {}, GetParam());
  auto marked = pool;
  marked.push_back(policy);
  const auto usual = served.echo_in(served.make_poa(pool)), special = served.echo_in(served.make_poa(marked));
  in_a_thread([&] {
    call_at(served, special, {10, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {bulk, 1}, {urgent, 1}}));
    call_at(served, usual, {10, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 6}, {bulk, 1}, {urgent, 1}})) << "the pool's other adapter";
    call_at(served, served.echo_in(served.make_poa(marked)), {10, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 6}, {bulk, 1}, {urgent, 1}})) << "by the same ports";
  });
}

TEST(SocketProperties, OfAnAdapterGoBeforeTheOptions) {
  const auto options = by_priority({"-ORBQualityTrafficClass", "on"});
  const Served served("iiop://127.0.0.1:0", options, plain());
  const auto properties = CORBA::make_reference<takt::SocketProperties>();
  properties->traffic_class(34);
  properties->priority(5);
  const auto policy =
      rt_of(served.server)->create_server_protocol_policy({Protocol(TCP_PROTOCOL_TYPE, {}, properties)});
  for (const auto& policies : {in_lanes(served, {policy}), propagated(served, {policy})}) {
    const auto echo = served.echo_in(served.make_poa(policies));
    in_a_thread([&] {
      call_at(served, echo, {40});
      const takt::QualityScope scope({.communication = CommunicationClass::burst});
      call_at(served, echo, {40});
      EXPECT_EQ(marks(), (Marks{{unmarked, 1}, {{34, 5}, 1}}));
    });
  }
}

TEST(SocketProperties, OfAnAdapterThatDeclaresItsPriority) {
  const Served served("iiop://127.0.0.1:0", plain(), plain());
  const auto rt = rt_of(served.server);
  const auto policy = rt->create_server_protocol_policy({with_classes({{10, 8}, {40, 46}})});
  const auto declared = rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 40);
  const auto echo = served.echo_in(served.make_poa({declared, policy}));
  in_a_thread([&] {
    call_at(served, echo, {10});
    EXPECT_EQ(marks(), (Marks{{unmarked, 1}, {urgent, 1}}));
  });
  EXPECT_THROW(served.make_poa({policy}), PortableServer::POA::InvalidPolicy);
  EXPECT_THROW(served.make_poa(propagated(served, {policy})), PortableServer::POA::InvalidPolicy);
}

TEST(SocketProperties, OfAClientMarkBandsAndGoBeforeItsOptions) {
  const Served served("iiop://127.0.0.1:0", plain(), by_priority());
  const auto echo = served.echo_in(served.make_poa(in_bands(served)));
  const auto special = IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
      {rt_of(served.client)->create_client_protocol_policy({with_classes({{0, 10}, {60, 34}})})},
      SetOverrideType::SET_OVERRIDE));
  in_a_thread([&] {
    call_at(served, special, {5, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {{10, 2}, 1}, {{34, 6}, 1}}));
    call_at(served, echo, {5, 40});
    EXPECT_EQ(marks(), (Marks{{unmarked, 4}, {{10, 2}, 1}, {{34, 6}, 1}, {bulk, 1}, {urgent, 1}}));
  });
}

TEST(SocketProperties, AnyOfThemAndAnyTransportAreForLanesToo) {
  const Served served("iiop://127.0.0.1:0", plain(), plain());
  const auto rt = rt_of(served.server);
  const auto buffers = rt->create_tcp_protocol_properties(65536, 0, false, false, true);
  const auto policy = rt->create_server_protocol_policy(
      {Protocol(takt::UNIX_PROTOCOL_TYPE), Protocol(TCP_PROTOCOL_TYPE, {}, buffers)});
  const auto echo = served.echo_in(served.make_poa(in_lanes(served, {policy})));
  in_a_thread([&] {
    call_at(served, echo, {10, 40});
    EXPECT_EQ(connections(AF_UNIX), 4);
    const auto tcp = IDL::traits<Calls::Echo>::narrow(echo->_set_policy_overrides(
        {rt_of(served.client)->create_client_protocol_policy({Protocol(TCP_PROTOCOL_TYPE)})},
        SetOverrideType::SET_OVERRIDE));
    call_at(served, tcp, {10, 40});
    EXPECT_EQ(std::ranges::count_if(open_sockets(),
                                    [](const OpenSocket& socket) {
                                      return socket.family == AF_INET &&
                                             socket.option(SOL_SOCKET, SO_SNDBUF) == 2 * 65536;
                                    }),
              2);
  });
}

// Classes of calls.

struct Row {
  CommunicationClass communication;
  std::uint32_t importance;
  Mark mark;
};
constexpr Row table[] = {{CommunicationClass::burst, 0, {8, 2}},
                         {CommunicationClass::burst, 2, {12, 2}},
                         {CommunicationClass::burst, 3, {10, 2}},
                         {CommunicationClass::message, 1, {20, 4}},
                         {CommunicationClass::message, 9, {18, 4}},
                         {CommunicationClass::message_stream, 0, {30, 4}},
                         {CommunicationClass::message_stream, 1, {28, 4}},
                         {CommunicationClass::message_stream, 4, {26, 4}},
                         {CommunicationClass::isochronous, 0, {38, 6}},
                         {CommunicationClass::isochronous, 2, {36, 6}},
                         {CommunicationClass::isochronous, 4'000'000'000, {34, 6}}};

TEST(QualityTrafficClass, MarksRequestsAndRepliesByClassAndImportance) {
  const std::vector<std::string> on{"-ORBQualityTrafficClass", "on"};
  for (const char* concurrency : {"thread-per-connection", "reactive", "worker-pool"}) {
    const Served served("iiop://127.0.0.1:0",
                        {"-ORBQualityTrafficClass", "on", "-ORBServerConcurrency", concurrency}, on);
    const auto echo = served.echo_in(served.root);
    in_a_thread([&] {
      echo->nothing();
      {
        const takt::DeadlineScope only_in_time(std::chrono::seconds(60));
        echo->nothing();
      }
      Marks wanted{{unmarked, 2}};
      EXPECT_EQ(marks(), wanted) << concurrency;
      for (int twice = 0; twice < 2; ++twice)
        for (const Row& row : table) {
          const takt::QualityScope scope({.importance = row.importance, .communication = row.communication});
          EXPECT_EQ(echo->cube(3), 27);
          wanted[row.mark] = 2;
          EXPECT_EQ(marks(), wanted) << concurrency;
        }
    });
  }
}

TEST(QualityTrafficClass, IsOfItsOwnAccordOff) {
  const Served served("iiop://127.0.0.1:0");
  const auto echo = served.echo_in(served.root);
  in_a_thread([&] {
    const takt::QualityScope scope({.communication = CommunicationClass::burst});
    echo->nothing();
    EXPECT_EQ(marks(), (Marks{{unmarked, 2}}));
  });
}

TEST(QualityTrafficClass, GoesBeforeThePriority) {
  const auto options = by_priority({"-ORBQualityTrafficClass", "on"});
  const Served served("iiop://127.0.0.1:0", options, options);
  const auto echo = served.echo_in(served.make_poa(in_lanes(served)));
  in_a_thread([&] {
    run_at(served, 40);
    EXPECT_EQ(echo->cube(3), 27);
    const takt::QualityScope scope({.importance = 3, .communication = CommunicationClass::burst});
    EXPECT_EQ(echo->cube(3), 27);
    EXPECT_EQ(marks(), (Marks{{urgent, 2}, {{10, 2}, 2}}));
  });
}

// A client without marking sends requests of all classes over one connection; each reply is marked as its
// request.
TEST(QualityTrafficClass, RepliesOnOneConnectionAreMarkedAsTheRequestBefore) {
  for (const char* concurrency : {"thread-per-connection", "worker-pool"}) {
    const Served served("iiop://127.0.0.1:0",
                        {"-ORBQualityTrafficClass", "on", "-ORBServerConcurrency", concurrency});
    const auto echo = served.echo_in(served.root);
    in_a_thread([&] {
      {
        const takt::QualityScope scope({.communication = CommunicationClass::burst});
        echo->nothing();
        EXPECT_EQ(marks(), (Marks{{unmarked, 1}, {bulk, 1}})) << concurrency;
      }
      echo->nothing();
      EXPECT_EQ(marks(), (Marks{{unmarked, 2}})) << concurrency;
    });
  }
}

// Invalid classes.

TEST(TrafficClasses, ThatWillNotDoAreRefused) {
  for (const char* value : {"10=64", "10=-1", "10=", "=8", "-1=8", "40000=8", "10=8x", "x=1", "10"})
    EXPECT_TRUE(refusal_of("-ORBTrafficClasses", value).starts_with("option -ORBTrafficClasses: '")) << value;
  EXPECT_NE(refusal_of("-ORBTrafficClasses", "10=64")
                .find("'10=64' is not valid: it takes PRIORITY=DSCP with a number "
                      "from 0 to 63"),
            std::string::npos);
  EXPECT_NE(refusal_of("-ORBSocketPriorities", "10=16").find("from 0 to 15"), std::string::npos);
  EXPECT_NE(refusal_of("-ORBTrafficClasses", "10=8,10=46").find("there is another for that priority"),
            std::string::npos);
}

TEST(SocketProperties, ThatWillNotDoAreRefused) {
  const Served served("iiop://127.0.0.1:0");
  const auto rt = rt_of(served.server);
  for (const auto& classes : {takt::SocketProperties::ByPriority{{10, 64}}, {{10, -1}}, {{-1, 8}}})
    EXPECT_THROW(rt->create_client_protocol_policy({with_classes(classes)}), CORBA::BAD_PARAM);
}

TEST(TrafficClasses, ALaneOrBandBelowAllOfThemIsSaidOnce) {
  testing::internal::CaptureStderr();
  {
    const Served served("iiop://127.0.0.1:0", by_priority(), by_priority());
    for (const auto& policies : {in_lanes(served, {}, false, {{5, 1, 0}, {40, 1, 0}})})
      for (int twice = 0; twice < 2; ++twice) {
        const auto echo = served.echo_in(served.make_poa(policies));
        in_a_thread([&] {
          call_at(served, echo, {5, 40});
          EXPECT_EQ(marks(), (Marks{{unmarked, 2}, {urgent, 2}}));
        });
      }
  }
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char* text : {"connections of the lane of priority 5 are not marked: -ORBTrafficClasses",
                           "for priorities 5 to 5 are not marked: -ORBTrafficClasses"}) {
    const auto first = said.find(text);
    ASSERT_NE(first, std::string::npos) << said;
    EXPECT_EQ(said.find(text, first + 1), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace feature
