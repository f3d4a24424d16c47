// The client connection architectures, and a client that uses one of them.
#pragma once

#include <gtest/gtest.h>

#include <barrier>
#include <chrono>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <takt/reference/messaging.h>
#include <takt/rt/rtcorba.h>

#include "../../eventually.h"
#include "giop/contexts/priorities.h"
#include "giop/references/profile.h"
#include "orbs.h"
#include "recording_server.h"
#include "reference/text/stringified_ior.h"

namespace feature {

using namespace std::chrono_literals;
using takt::test::eventually;

struct Architecture {
  const char* name;
  const char* connections;            // -ORBClientConnections
  bool banded = false;                // the server has bands of priorities
  bool private_to_reference = false;  // RTCORBA::PrivateConnectionPolicy

  // Whether threads share connections.
  bool shared() const { return std::string(connections) != "exclusive"; }
  // Whether one thread at a time uses a connection.
  bool cached() const { return std::string(connections) == "cached"; }
  bool active() const { return std::string(connections) == "multiplexed-active"; }
};

inline constexpr Architecture architectures[] = {
    {.name = "exclusive", .connections = "exclusive"},
    {.name = "exclusive_banded", .connections = "exclusive", .banded = true},
    {.name = "exclusive_private", .connections = "exclusive", .private_to_reference = true},
    {.name = "cached", .connections = "cached"},
    {.name = "cached_banded", .connections = "cached", .banded = true},
    {.name = "cached_private", .connections = "cached", .private_to_reference = true},
    {.name = "multiplexed", .connections = "multiplexed"},
    {.name = "multiplexed_banded", .connections = "multiplexed", .banded = true},
    {.name = "multiplexed_private", .connections = "multiplexed", .private_to_reference = true},
    {.name = "active", .connections = "multiplexed-active"},
    {.name = "active_banded", .connections = "multiplexed-active", .banded = true},
    {.name = "active_private", .connections = "multiplexed-active", .private_to_reference = true},
    {.name = "active_banded_private",
     .connections = "multiplexed-active",
     .banded = true,
     .private_to_reference = true},
};

// The priority bands that a reference to the server advertises.
inline const std::vector<takt::giop::PriorityBand> bands{{0, 9}, {10, 32767}};

// The IOR of the server's object: with client-propagated priorities, in bands if `banded`; or in one of the
// lanes of a server with several.
inline std::string ior_of(const RecordingServer& server, bool banded,
                          const std::vector<takt::giop::PriorityEndpoint>& lanes = {}) {
  takt::giop::IiopProfile profile;
  profile.version = {1, 2};
  profile.host = "127.0.0.1";
  profile.port = server.port();
  profile.object_key = {'O', 'b', 'j', 'e', 'c', 't'};
  profile.components.push_back(
      takt::giop::make_policies_component({takt::giop::PriorityPolicies::Model::client_propagated, 0,
                                           banded ? bands : std::vector<takt::giop::PriorityBand>{}}));
  if (!lanes.empty()) profile.components.push_back(takt::giop::make_priority_endpoints_component(lanes));
  return takt::reference::ior_to_text({"IDL:Calls/Echo:1.0", {takt::giop::write_iiop_profile(profile)}});
}

class Clients : public testing::TestWithParam<Architecture> {
 protected:
  Clients()
      : orb(make_orb({"-ORBClientConnections", GetParam().connections, "-ORBSchedulingClass", "other"},
                     "mux")),
        rt(IDL::traits<RTCORBA::RTORB>::narrow(orb->resolve_initial_references("RTORB"))),
        priorities(IDL::traits<RTCORBA::Current>::narrow(orb->resolve_initial_references("RTCurrent"))) {
    if (GetParam().private_to_reference)
      IDL::traits<CORBA::PolicyManager>::narrow(orb->resolve_initial_references("ORBPolicyManager"))
          ->set_policy_overrides({rt->create_private_connection_policy()},
                                 CORBA::SetOverrideType::ADD_OVERRIDE);
  }
  ~Clients() override { orb->destroy(); }

  EchoRef reach(const RecordingServer& server) {
    const auto there = orb->string_to_object(ior_of(server, GetParam().banded));
    return takt::reference::make_stub<::Calls::Echo>(there->_ref());
  }
  // The same object with a limit on the duration of calls.
  EchoRef hurried(const EchoRef& echo, std::chrono::nanoseconds time) {
    return IDL::traits<::Calls::Echo>::narrow(
        echo->_set_policy_overrides({CORBA::make_reference<Messaging::RelativeRoundtripTimeoutPolicy>(
                                        static_cast<TimeBase::TimeT>(time.count() / 100))},
                                    CORBA::SetOverrideType::ADD_OVERRIDE));
  }
  // Runs `body` in a thread whose calls have the priority.
  template <class Body>
  std::future<void> at_priority(RTCORBA::Priority priority, Body body) {
    return std::async(std::launch::async, [this, priority, body] {
      priorities->the_priority(priority);
      body();
    });
  }
  // Runs each in a thread of its own, all at the same time.
  template <class Body>
  static void in_threads(int count, Body body) {
    std::barrier together(count);
    std::vector<std::jthread> threads;
    for (int i = 0; i < count; ++i)
      threads.emplace_back([&] {
        together.arrive_and_wait();
        body();
        together.arrive_and_wait();  // keeps all connections until every thread is done
      });
  }
  // The number of connections that carried a request.
  static std::size_t used(const RecordingServer& server) {
    std::size_t count = 0;
    for (const auto& connection : server.connections()) count += connection.request_ids.empty() ? 0 : 1;
    return count;
  }

  Orb orb;
  CORBA::object_reference<RTCORBA::RTORB> rt;
  CORBA::object_reference<RTCORBA::Current> priorities;
};

}  // namespace feature
