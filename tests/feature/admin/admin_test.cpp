// The object that tells operators the state of an ORB (-ORBAdmin).
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <takt/orb/parts.h>
#include <takt/rt/rtcorba.h>

#include "../kept_port.h"
#include "Takt_AdminC.h"
#include "gate.h"
#include "orbs.h"
#include "raw_peer.h"

void takt::choose_parts(Parts& parts) { add_all(parts); }

namespace {

using namespace std::chrono_literals;
using namespace Takt::Admin;
using feature::make_orb;
using feature::refusal_of;

class Admin : public testing::Test {
 protected:
  std::string endpoint() const { return "iiop://127.0.0.1:" + std::to_string(port_.port()); }
  std::vector<std::string> options(const std::string& words = "", std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"-ORBAdmin", endpoint() + words});
    return more;
  }
  void start(const std::string& words = "", std::vector<std::string> more = {}) {
    running_.emplace(options(words, std::move(more)));
    admin_ = admin(*running_);
  }
  IDL::traits<Orb>::ref_type admin(feature::ServerAndClient& orbs) const {
    return IDL::traits<Orb>::narrow(orbs.client->string_to_object(
        "corbaloc:iiop:127.0.0.1:" + std::to_string(port_.port()) + "/TaktAdmin"));
  }
  // The counts of the operation; empty ones if it has none.
  Operation operation(const std::string& interface, const std::string& name) const {
    const State state = admin_->look();
    for (const Operation& each : state.operations())
      if (each.interface_name() == interface && each.name() == name) return each;
    return {};
  }
  static Count calls_of(const Operation& operation) {
    Count calls = 0;
    for (const Bucket& bucket : operation.durations()) calls += bucket.calls();
    return calls;
  }
  static Count refused(const State& state, const std::string& reason) {
    for (const Refusal& each : state.refusals())
      if (each.reason() == reason) return each.requests();
    ADD_FAILURE() << "no reason " << reason;
    return 0;
  }
  // Looks until it is so.
  State look_until(const std::function<bool(const State&)>& is_so) const {
    for (const auto end = std::chrono::steady_clock::now() + 20s;; std::this_thread::sleep_for(2ms)) {
      State state = admin_->look();
      if (is_so(state)) return state;
      if (std::chrono::steady_clock::now() > end) {
        ADD_FAILURE() << "it has not become so";
        return state;
      }
    }
  }
  std::string refusal(const std::function<void()>& change) const {
    try {
      change();
    } catch (const Refused& refused) {
      return refused.why();
    }
    return "nothing";
  }

  feature::KeptPort port_;
  std::optional<feature::ServerAndClient> running_;
  IDL::traits<Orb>::ref_type admin_;
};

TEST_F(Admin, CountsCallsOfEachOperationWithTheirDurations) {
  start();
  for (int i = 0; i < 5; ++i) running_->echo->cube(2);
  running_->echo->sleep_ms(20);
  EXPECT_EQ(calls_of(operation("Calls::Echo", "cube")), 5u);
  const Operation slept = operation("Calls::Echo", "sleep_ms");
  ASSERT_EQ(slept.durations().size(), 1u);
  EXPECT_EQ(slept.durations()[0].calls(), 1u);
  EXPECT_GE(slept.durations()[0].up_to_ns(), 20'000'000u);
  EXPECT_EQ(calls_of(operation("Calls::Echo", "join")), 0u);
}

TEST_F(Admin, CountsExceptions) {
  start();
  EXPECT_THROW(running_->echo->refuse("it is late"), Calls::Refused);
  EXPECT_THROW(running_->echo->refuse("it is late"), Calls::Refused);
  EXPECT_THROW(running_->echo->fail_with_system_exception(), CORBA::NO_RESOURCES);
  const Operation refuse = operation("Calls::Echo", "refuse");
  EXPECT_EQ(calls_of(refuse), 2u);
  EXPECT_EQ(refuse.user_exceptions(), 2u);
  EXPECT_EQ(refuse.system_exceptions(), 0u);
  const Operation fail = operation("Calls::Echo", "fail_with_system_exception");
  EXPECT_EQ(calls_of(fail), 1u);
  EXPECT_EQ(fail.system_exceptions(), 1u);
}

TEST_F(Admin, CountsCallsWithinTheProcessWithThoseOfClients) {
  start();
  running_->echo->cube(2);
  const auto local = running_->servant->_this();
  local->cube(3);
  EXPECT_THROW(local->refuse("here"), Calls::Refused);
  EXPECT_EQ(calls_of(operation("Calls::Echo", "cube")), 2u);
  EXPECT_EQ(operation("Calls::Echo", "refuse").user_exceptions(), 1u);
}

// A name in Latin-1, with a NUL, or in a script that the client's code set lacks does not hide the rest.
TEST_F(Admin, NamesThatCannotBeSentAsTheyAreAreEscaped) {
  start();
  const auto root =
      IDL::traits<PortableServer::POA>::narrow(running_->server->resolve_initial_references("RootPOA"));
  for (const std::string& name : {std::string("M\xfcnchen"), std::string("a\0b", 3),
                                  std::string("\xe8\xa8\x88\xe5\x88\x92"), std::string("\xc3\xbc")})
    root->create_POA(name, root->the_POAManager(), {});
  std::vector<std::string> paths;
  const State state = admin_->look();
  for (const Adapter& each : state.adapters()) paths.push_back(each.path());
  for (const char* path :
       {"RootPOA/M\\xfcnchen", "RootPOA/a\\x00b", "RootPOA/\\u{8a08}\\u{5212}", "RootPOA/\xc3\xbc"})
    EXPECT_EQ(std::ranges::count(paths, path), 1) << path;
}

// Names that clients send never become operations, so they cannot fill the table.
TEST_F(Admin, CallsWithoutAKnownOperationAreCountedTogether) {
  start();
  const Count before = calls_of(operation("", ""));
  const feature::Place place(running_->ior);
  EXPECT_FALSE(running_->echo->_non_existent());
  const auto gone = running_->client->string_to_object(
      "corbaloc:iiop:127.0.0.1:" + std::to_string(place.port) + "/nothing");
  EXPECT_TRUE(gone->_non_existent());
  EXPECT_EQ(calls_of(operation("", "")), before + 2);
  const State state = admin_->look();
  for (const Operation& each : state.operations()) {
    EXPECT_NE(each.name(), "_is_a");
    EXPECT_NE(each.name(), "_non_existent");
  }
}

TEST_F(Admin, TellsTheOrbItsConnectionsAndItsAdapters) {
  start();
  running_->echo->nothing();
  const State state = admin_->look();
  EXPECT_EQ(state.orb_id(), running_->server->id());
  EXPECT_EQ(state.process(), static_cast<std::uint32_t>(::getpid()));
  EXPECT_GT(state.up_ns(), 0u);
  EXPECT_EQ(state.connections_accepted(), 1u);
  ASSERT_EQ(state.lanes().size(), 1u);
  EXPECT_EQ(state.lanes()[0].id(), 0u);
  EXPECT_EQ(state.lanes()[0].priority(), -1);
  EXPECT_EQ(state.lanes()[0].connections(), 1u);
  ASSERT_EQ(state.adapters().size(), 1u);
  EXPECT_EQ(state.adapters()[0].path(), "RootPOA");
  EXPECT_EQ(state.adapters()[0].state(), "active");
  EXPECT_EQ(state.adapters()[0].objects(), 1u);
  ASSERT_EQ(state.memory().size(), 2u);
  EXPECT_EQ(state.memory()[0].side(), "server");
  EXPECT_GT(state.memory()[0].limit_bytes(), 0u);
}

TEST_F(Admin, TellsQueuesWithTheirOldestRequestAndRefusals) {
  start("", {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1", "-ORBMaxQueuedRequests", "1"});
  const auto keeper = CORBA::make_reference<feature::Keeper>();
  const auto kept = running_->publish<Calls::Echo>(keeper);
  std::thread first([&] { kept->nothing(); });
  ASSERT_TRUE(keeper->gate.entered_by(1));
  std::thread second([&] { running_->echo->name(); });
  const State state =
      look_until([](const State& now) { return !now.queues().empty() && now.queues()[0].waiting() == 1; });
  EXPECT_EQ(state.queues()[0].threads(), 1u);
  EXPECT_GT(state.queues()[0].octets(), 0u);
  std::this_thread::sleep_for(5ms);
  EXPECT_GE(admin_->look().queues()[0].oldest_ns(), 5'000'000u);
  EXPECT_THROW(running_->echo->name(), CORBA::TRANSIENT);
  keeper->gate.open();
  first.join();
  second.join();
  const State after = admin_->look();
  EXPECT_EQ(after.queues()[0].waiting(), 0u);
  EXPECT_EQ(after.queues()[0].oldest_ns(), 0u);
  EXPECT_EQ(refused(after, "queue_full"), 1u);
}

TEST_F(Admin, TellsTheConnectionsOfEachLane) {
  start();
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(running_->server->resolve_initial_references("RTORB"));
  RTCORBA::ThreadpoolLanes lanes(2);
  lanes[0].lane_priority(10);
  lanes[0].static_threads(1);
  lanes[1].lane_priority(20);
  lanes[1].static_threads(1);
  const auto pool = rt->create_threadpool_with_lanes(0, lanes, false, false, 0, 0);
  const State state = admin_->look();
  ASSERT_EQ(state.lanes().size(), 3u);
  EXPECT_EQ(state.lanes()[1].priority() + state.lanes()[2].priority(), 30);
  EXPECT_EQ(std::abs(state.lanes()[1].priority() - state.lanes()[2].priority()), 10);
  rt->destroy_threadpool(pool);
  EXPECT_EQ(admin_->look().lanes().size(), 1u);
}

// An operator looks most when a server does not answer.
TEST_F(Admin, AnswersWhileTheAdaptersHoldAndAllThreadsAreBusy) {
  start("", {"-ORBServerConcurrency", "leader-followers", "-ORBServerThreads", "1"});
  const auto keeper = CORBA::make_reference<feature::Keeper>();
  const auto kept = running_->publish<Calls::Echo>(keeper);
  std::thread caller([&] { kept->nothing(); });
  ASSERT_TRUE(keeper->gate.entered_by(1));
  const auto poa =
      IDL::traits<PortableServer::POA>::narrow(running_->server->resolve_initial_references("RootPOA"));
  poa->the_POAManager()->hold_requests(false);
  EXPECT_EQ(admin_->look().adapters()[0].state(), "holding");
  poa->the_POAManager()->activate();
  keeper->gate.open();
  caller.join();
}

TEST_F(Admin, TheObjectIsOnlyAtItsEndpoint) {
  start();
  const feature::Place place(running_->ior);
  const auto elsewhere = running_->client->string_to_object(
      "corbaloc:iiop:127.0.0.1:" + std::to_string(place.port) + "/TaktAdmin");
  EXPECT_TRUE(elsewhere->_non_existent());
  const auto other = running_->client->string_to_object(
      "corbaloc:iiop:127.0.0.1:" + std::to_string(port_.port()) + "/Other");
  EXPECT_TRUE(other->_non_existent());
  EXPECT_FALSE(admin_->_non_existent());
}

TEST_F(Admin, OptionsAreReadOnlyUnlessToldOtherwise) {
  start();
  EXPECT_EQ(admin_->get_option("LogLevel"), Texts{"warning"});
  EXPECT_EQ(refusal([&] { admin_->set_option("LogLevel", "info"); }),
            "clients may only read: -ORBAdmin of this ORB lacks the word changes");
  EXPECT_EQ(admin_->get_option("LogLevel"), Texts{"warning"});
  EXPECT_NE(refusal([&] { admin_->get_option("LogLevle"); }).find("LogLevle"), std::string::npos);
}

TEST_F(Admin, ClientsMayChangeOptionsIfTheOptionSaysSo) {
  start(",changes");
  admin_->set_option("LogLevel", "info");
  EXPECT_EQ(admin_->get_option("LogLevel"), Texts{"info"});
  EXPECT_NE(refusal([&] { admin_->set_option("LogLevel", "loud"); }).find("loud"), std::string::npos);
  EXPECT_NE(refusal([&] { admin_->set_option("Signals", "TERM"); }), "nothing");
  EXPECT_EQ(admin_->get_option("LogLevel"), Texts{"info"});
}

TEST_F(Admin, RefusesWordsAndEndpointsThatOtherMachinesReach) {
  EXPECT_EQ(refusal_of("-ORBAdmin", "of"),
            "option -ORBAdmin: 'of' is not valid: it takes off, on, changes, remote or an endpoint such as "
            "iiop://localhost:2810, several");
  for (const char* const reached :
       {"iiop://:2810", "iiop://0.0.0.0:0", "iiop://192.0.2.1:0", "iiop://[::]:0"})
    EXPECT_NE(refusal_of("-ORBAdmin", reached).find("other machines reach it; add the word remote"),
              std::string::npos)
        << reached;
  make_orb({"-ORBAdmin", "iiop://0.0.0.0:0 remote"}, "remote")->destroy();
  make_orb({"-ORBAdmin", "iiop://[::1]:0"}, "local")->destroy();
}

TEST_F(Admin, TheWordOffIsAsWithoutTheOption) {
  make_orb({"-ORBAdmin", "off"}, "off")->destroy();
  EXPECT_EQ(refusal_of("-ORBAdmin", "off,changes"), "option -ORBAdmin: 'off' is not valid: off stands alone");
}

TEST_F(Admin, IsReachedThroughASocketInTheFileSystem) {
  const std::string path = "/tmp/takt-admin-" + std::to_string(::getpid());
  const auto server = make_orb({"-ORBAdmin", "unix:" + path}, "observed");
  EXPECT_EQ(::access(path.c_str(), F_OK), 0);
  server->destroy();
  EXPECT_NE(::access(path.c_str(), F_OK), 0);
}

TEST_F(Admin, ItsEndpointClosesWhenTheOrbIsDestroyedAndNotBefore) {
  const auto server = make_orb(options(), "observed");
  const auto client = make_orb({}, "operator");
  const auto observer = IDL::traits<Orb>::narrow(
      client->string_to_object("corbaloc:iiop:127.0.0.1:" + std::to_string(port_.port()) + "/TaktAdmin"));
  observer->look();
  server->shutdown(true);
  observer->look();
  server->destroy();
  EXPECT_THROW(observer->look(), CORBA::SystemException);
  const auto again = make_orb(options(), "again");
  EXPECT_EQ(observer->look().orb_id(), again->id());
  again->destroy();
  client->destroy();
}

// Clients that connect and send garbage or nothing take at most the admin endpoint's few connections.
TEST_F(Admin, HostileClientsAreBoundedAndDoNotTouchTheOrb) {
  start();
  feature::Place place(running_->ior);
  place.port = port_.port();
  std::vector<std::unique_ptr<feature::RawPeer>> idle;
  for (int i = 0; i < 40; ++i) idle.push_back(std::make_unique<feature::RawPeer>(place));
  for (int i = 0; i < 20; ++i) running_->echo->cube(1);
  EXPECT_EQ(running_->echo->cube(3), 27);
  idle.clear();
  for (const char* const octets :
       {"GET / HTTP/1.1\r\n\r\n", "GIOP\1\2\1\0\xff\xff\xff\xff", "\0\0\0\0\0\0\0\0\0\0\0\0"}) {
    feature::RawPeer peer(place);
    peer.send(feature::Octets(octets, octets + 12));
  }
  look_until([](const State& state) { return state.process() != 0; });
}

}  // namespace
