// Lanes, bridges and probed ORBs in the state of the object of -ORBAdmin.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <takt/orb/parts.h>
#include <takt/rt/rtcorba.h>
#include <takt/rt/schedule.h>

#include "../bridge/bridged.h"
#include "../folder.h"
#include "../kept_port.h"
#include "Takt_AdminC.h"

namespace {

using namespace std::chrono_literals;
using namespace Takt::Admin;
using feature::EchoRef;
using feature::Options;
using feature::Orb;

State look(const Orb& client, const feature::KeptPort& port) {
  return IDL::traits<Takt::Admin::Orb>::narrow(
             client->string_to_object("corbaloc:iiop:127.0.0.1:" + std::to_string(port.port()) +
                                      "/TaktAdmin"))
      ->look();
}

// cube() uses more processor time than its schedule declares.
class BusyServant final : public feature::EchoServant {
 public:
  uint8_t cube(uint8_t x) override {
    const auto end = std::chrono::steady_clock::now() + 5ms;
    while (std::chrono::steady_clock::now() < end) {
    }
    return x;
  }
};

// A server with a schedule and two lanes of priorities 10 and 20.
class ScheduledLanes : public feature::OrbPair {
 public:
  explicit ScheduledLanes(const feature::KeptPort& port,
                          takt::rt::OnOverrun on_overrun = takt::rt::OnOverrun::count)
      : OrbPair({"-ORBAdmin", port.endpoint()}, {}, loopback, Server::runs,
                [on_overrun](const Orb& orb) { install(orb, on_overrun); }),
        rt(IDL::traits<RTCORBA::RTORB>::narrow(server->resolve_initial_references("RTORB"))),
        pool(rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0)) {}

  EchoRef echo_at(std::int16_t priority) const {
    return publish<Calls::Echo>(
        CORBA::make_reference<BusyServant>(),
        make_poa({rt->create_threadpool_policy(pool),
                  rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, priority)}));
  }
  EchoRef echo_without_lane() const { return publish<Calls::Echo>(CORBA::make_reference<BusyServant>()); }

  const CORBA::object_reference<RTCORBA::RTORB> rt;
  const RTCORBA::ThreadpoolId pool;

 private:
  static void install(const Orb& orb, takt::rt::OnOverrun on_overrun) {
    IDL::traits<takt::rt::RunTimeScheduler>::narrow(orb->resolve_initial_references("RunTimeScheduler"))
        ->install({{.name = "sleep_ms", .deadline = 1ms},
                   {.name = "cube", .period = 1ms, .execution = 1ms, .on_overrun = on_overrun}},
                  {});
  }
};

std::map<std::int16_t, Lane> by_priority(const State& state) {
  std::map<std::int16_t, Lane> lanes;
  for (const Lane& lane : state.lanes()) lanes[lane.priority()] = lane;
  return lanes;
}

TEST(AdminLanes, TellMissedDeadlinesOfTheThreadsThatRanTheUpcalls) {
  const feature::KeptPort port;
  const ScheduledLanes orbs(port);
  const EchoRef low = orbs.echo_at(10), high = orbs.echo_at(20), other = orbs.echo_without_lane();
  low->sleep_ms(3);
  low->sleep_ms(3);
  high->sleep_ms(3);
  other->sleep_ms(3);
  other->sleep_ms(3);
  other->sleep_ms(3);
  low->nothing();  // each lane's thread has ended its former upcall by then
  high->nothing();
  other->nothing();
  auto lanes = by_priority(look(orbs.client, port));
  ASSERT_EQ(lanes.size(), 3u);
  EXPECT_EQ(lanes[10].deadlines_missed(), 2u);
  EXPECT_EQ(lanes[20].deadlines_missed(), 1u);
  EXPECT_EQ(lanes[-1].deadlines_missed(), 3u);
  EXPECT_EQ(lanes[-1].id(), 0u);
  EXPECT_NE(lanes[10].id(), lanes[20].id());
  EXPECT_EQ(lanes[10].overruns(), 0u);
}

TEST(AdminLanes, TellOverrunsOfTheThreadsThatRanTheUpcalls) {
  for (const auto on_overrun : {takt::rt::OnOverrun::count, takt::rt::OnOverrun::demote}) {
    const feature::KeptPort port;
    const ScheduledLanes orbs(port, on_overrun);
    const EchoRef low = orbs.echo_at(10), high = orbs.echo_at(20);
    high->cube(1);
    high->cube(1);
    low->nothing();
    high->nothing();
    auto lanes = by_priority(look(orbs.client, port));
    EXPECT_EQ(lanes[20].overruns(), 2u);
    EXPECT_EQ(lanes[10].overruns(), 0u);
    EXPECT_EQ(lanes[-1].overruns(), 0u);
  }
}

TEST(AdminBridge, RelayedRequestsAreCounted) {
  const feature::KeptPort port;
  const feature::EchoServer inner("iiop://127.0.0.1:0");
  feature::BridgeOrb bridge("iiop://127.0.0.1:0", {"-ORBAdmin", port.endpoint()});
  const feature::Client client;
  const EchoRef echo = client.echo(bridge.publish(inner.serve()));
  const State before = look(client.orb, port);
  ASSERT_EQ(before.relayed().size(), 1u);
  EXPECT_EQ(echo->cube(3), 27);
  EXPECT_THROW(echo->refuse("no"), Calls::Refused);
  echo->note(7);
  EXPECT_EQ(echo->noted(), 7);
  const RelayedRequests& was = before.relayed()[0];
  const State after = look(client.orb, port);
  const RelayedRequests& is = after.relayed()[0];
  EXPECT_EQ(is.requests() - was.requests(), 4u);
  EXPECT_EQ(is.replies() - was.replies(), 3u) << "a oneway has no reply";
  EXPECT_EQ(is.failures(), 0u);
  EXPECT_GT(is.request_bytes(), was.request_bytes());
  EXPECT_GT(is.reply_bytes(), was.reply_bytes());
}

TEST(AdminRoads, ConnectionsByLocalRoadsAreCounted) {
  const feature::KeptPort port;
  feature::EchoServer server("iiop://127.0.0.1:0", {"-ORBLocalRoads", "shm", "-ORBAdmin", port.endpoint()});
  const std::string ior = server.serve();
  const feature::Client observer;
  const feature::Client client({"-ORBLocalRoads", "on", "-ORBLocalRoadTimeout", "5s"});
  EXPECT_EQ(client.echo(ior)->cube(3), 27);
  const State state = look(observer.orb, port);
  ASSERT_EQ(state.roads().size(), 3u);
  EXPECT_EQ(state.roads()[0].name(), "shm");
  EXPECT_EQ(state.roads()[0].accepted(), 1u);
  for (const auto& road : state.roads()) EXPECT_EQ(road.opened() + road.refused(), 0u) << road.name();
}

TEST(AdminBridge, AnOrbThatIsNoBridgeRelaysNothing) {
  const feature::KeptPort port;
  const feature::EchoServer server("iiop://127.0.0.1:0", {"-ORBAdmin", port.endpoint()});
  const feature::Client client;
  EXPECT_EQ(look(client.orb, port).relayed().size(), 0u);
}

// Calls are counted and their steps recorded.
TEST(AdminProbes, ProbedCallsAreCounted) {
  const feature::Folder folder;
  const feature::KeptPort port;
  {
    const feature::EchoServer server("iiop://127.0.0.1:0",
                                     {"-ORBAdmin", port.endpoint(), "-ORBTimeProbes", folder / "probes"});
    const feature::Client client;
    const EchoRef echo = client.echo(server.serve());
    for (int i = 0; i < 5; ++i) EXPECT_EQ(echo->cube(2), 8);
    EXPECT_THROW(echo->refuse("it is late"), Calls::Refused);
    std::map<std::string, Count> calls, exceptions;
    const State state = look(client.orb, port);
    for (const Operation& each : state.operations()) {
      for (const Bucket& bucket : each.durations()) calls[each.name()] += bucket.calls();
      exceptions[each.name()] = each.user_exceptions();
    }
    EXPECT_EQ(calls["cube"], 5u);
    EXPECT_EQ(calls["refuse"], 1u);
    EXPECT_EQ(exceptions["refuse"], 1u);
  }
  std::ifstream file(folder / "probes.json");
  const std::string trace{std::istreambuf_iterator<char>(file), {}};
  std::size_t cubes = 0;
  for (std::size_t at = trace.find("cube"); at != std::string::npos; at = trace.find("cube", at + 1)) ++cubes;
  EXPECT_GE(cubes, 5u) << trace.substr(0, 2000);
}

}  // namespace
