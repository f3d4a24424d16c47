// Options for the lanes of one priority: their processors and their endpoints.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <list>
#include <string>
#include <vector>

#include "../kept_port.h"
#include "probe_servant.h"

namespace real_time {
namespace {

std::vector<int> processors_of_this_thread() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  std::vector<int> processors;
  for (int each = 0; each < CPU_SETSIZE; ++each)
    if (CPU_ISSET(each, &set)) processors.push_back(each);
  return processors;
}

std::string list_of(const std::vector<int>& processors) {
  std::string list;
  for (const int each : processors) list.append(list.empty() ? "" : ",").append(std::to_string(each));
  return list;
}

// Reports the processors available to its upcall in `thread`, and the current one in native_priority.
class PlaceServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override { return {-1, ::sched_getcpu(), false, list_of(processors_of_this_thread())}; }
  RtTest::Seen look_through(ProbeRef) override { return look(); }
  bool meet(std::uint32_t) override { return false; }
};

struct Laned {
  explicit Laned(std::vector<std::string> options, bool buffered = false)
      : server(make_orb(std::move(options), "lane-server")), client(make_orb({}, "lane-client")) {
    const auto root = initial<PortableServer::POA>(server, "RootPOA");
    root->the_POAManager()->activate();
    const auto rt = initial<RTCORBA::RTORB>(server, "RTORB");
    const auto pool =
        rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 2, 0}}, false, buffered, buffered ? 5 : 0, 0);
    poa = root->create_POA("laned", root->the_POAManager(),
                           {rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 10),
                            rt->create_threadpool_policy(pool)});
  }
  ~Laned() {
    client->destroy();
    server->destroy();
  }
  RtTest::Seen look_in_lane(std::int16_t priority) {
    const auto object = poa->id_to_reference(
        poa->activate_object_with_priority(CORBA::make_reference<PlaceServant>(), priority));
    return IDL::traits<RtTest::Probe>::narrow(client->string_to_object(server->object_to_string(object)))
        ->look();
  }
  Orb server, client;
  CORBA::object_reference<PortableServer::POA> poa;
};

class LaneCpus : public testing::TestWithParam<bool> {};

TEST_P(LaneCpus, HoldItsThreads) {
  const auto all = processors_of_this_thread();
  const std::string first = std::to_string(all.front()), last = std::to_string(all.back());
  Laned orbs({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLaneCpus", "10=" + last + ";20=" + first},
             GetParam());
  const auto low = orbs.look_in_lane(10), high = orbs.look_in_lane(20);
  EXPECT_EQ(low.thread(), last);
  EXPECT_EQ(low.native_priority(), all.back());
  EXPECT_EQ(high.thread(), first);
  EXPECT_EQ(high.native_priority(), all.front());
}

TEST_P(LaneCpus, LeaveOtherLanesAlone) {
  const auto all = processors_of_this_thread();
  Laned orbs(
      {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLaneCpus", "20=" + std::to_string(all.front())},
      GetParam());
  EXPECT_EQ(orbs.look_in_lane(10).thread(), list_of(all));
}

INSTANTIATE_TEST_SUITE_P(Lanes, LaneCpus, testing::Bool(),
                         [](const auto& one) { return one.param ? "buffered" : "direct"; });

// A server with persistent objects in lanes, for the first start and for a restart.
struct Lasting {
  explicit Lasting(const std::string& lane_endpoints)
      : server(make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLaneEndpoints", lane_endpoints},
                        "lasting")) {
    const auto root = initial<PortableServer::POA>(server, "RootPOA");
    root->the_POAManager()->activate();
    const auto rt = initial<RTCORBA::RTORB>(server, "RTORB");
    const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}, {20, 1, 0}}, false, false, 0, 0);
    poa = root->create_POA(
        "lasting", root->the_POAManager(),
        {rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 20),
         rt->create_threadpool_policy(pool),
         root->create_lifespan_policy(PortableServer::LifespanPolicyValue::PERSISTENT),
         root->create_id_assignment_policy(PortableServer::IdAssignmentPolicyValue::USER_ID)});
    poa->activate_object_with_id(id(), CORBA::make_reference<ProbeServant>(server));
  }
  ~Lasting() { server->destroy(); }
  static PortableServer::ObjectId id() { return {'o'}; }
  std::string reference() { return server->object_to_string(poa->id_to_reference(id())); }
  Orb server;
  CORBA::object_reference<PortableServer::POA> poa;
};

class LaneEndpoints : public testing::TestWithParam<bool> {
 protected:
  std::string endpoint(const char* lane) {
    return GetParam() ? ports_.emplace_back().endpoint()
                      : "unix:@takt-lane-" + std::string(lane) + "-" + std::to_string(::getpid());
  }

 private:
  std::list<feature::KeptPort> ports_;
};

TEST_P(LaneEndpoints, KeepReferencesAcrossRestarts) {
  const std::string endpoints = "10=" + endpoint("low") + ",20=" + endpoint("high");
  std::string reference;
  {
    Lasting first(endpoints);
    reference = first.reference();
  }
  Lasting again(endpoints);
  EXPECT_EQ(again.reference(), reference);
  const auto client = make_orb({"-ORBPriorityMapping", "direct"}, "client");
  const auto probe = IDL::traits<RtTest::Probe>::narrow(client->string_to_object(reference));
  in_a_thread([&] {
    const auto current = initial<RTCORBA::Current>(client, "RTCurrent");
    current->the_priority(10);
    EXPECT_EQ(probe->look().thread(), "takt-lane-10");
    current->the_priority(20);
    EXPECT_EQ(probe->look().thread(), "takt-lane-20");
  });
  client->destroy();
}

TEST_P(LaneEndpoints, OfTwoLanesAreRefused) {
  const std::string same = endpoint("same");
  try {
    Lasting server("10=" + same + ",20=" + same);
    FAIL() << "both listen at " << same;
  } catch (const CORBA::BAD_PARAM& refused) {
    EXPECT_NE(std::string(refused.detail()).find("in the queue of another"), std::string::npos)
        << refused.detail();
  }
}

INSTANTIATE_TEST_SUITE_P(Transports, LaneEndpoints, testing::Bool(),
                         [](const auto& one) { return one.param ? "tcp" : "unix"; });

TEST(LaneEndpoints, ThatWillNotDoAreRefused) {
  EXPECT_NE(feature::refusal_of("-ORBLaneEndpoints", "iiop://:2840").find("it takes PRIORITY=ENDPOINT"),
            std::string::npos);
  EXPECT_NE(feature::refusal_of("-ORBLaneEndpoints", "10=iiop://:port").find("is not an endpoint"),
            std::string::npos);
}

// The warnings of an ORB with these options: when it works for the first time, or is destroyed.
std::string said_of_missing_lanes(std::vector<std::string> options, bool runs, bool serves = true) {
  options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
  testing::internal::CaptureStderr();
  const auto orb = make_orb(options, "missing-lanes");
  std::string said;
  if (serves) {
    const auto root = initial<PortableServer::POA>(orb, "RootPOA");
    root->the_POAManager()->activate();
    const auto rt = initial<RTCORBA::RTORB>(orb, "RTORB");
    rt->create_threadpool_with_lanes(0, {{1000, 1, 0}, {2000, 1, 0}}, false, false, 0, 0);
    rt->create_threadpool(0, 1, 0, 3000, false, 0, 0);
  }
  if (runs) {
    orb->perform_work();
    said = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
  }
  orb->destroy();
  return said + testing::internal::GetCapturedStderr();
}

TEST(LaneOptions, ThatNameNoLaneAreSaid) {
  const std::string loads = "1000=1ms/10s,2000=1ms/10s,3000=1ms/10s";
  const std::string text =
      "-ORBLaneCpus and -ORBLaneLoads for priority 40: no effect, since no thread pool has a lane of that "
      "priority (there are lanes of 1000, 2000, 3000): correct the priority";
  for (const bool runs : {false, true}) {
    const auto said = [&](const char* processors, const std::string& more) {
      return said_of_missing_lanes({"-ORBLaneLoads", loads + more, "-ORBLaneCpus", processors}, runs);
    };
    EXPECT_NE(said("1000=0;40=0", ",40=1ms/10s").find(text), std::string::npos) << runs;
    EXPECT_EQ(said("1000=0;3000=0", "").find("no effect"), std::string::npos) << runs;
  }
  EXPECT_EQ(said_of_missing_lanes({"-ORBLaneCpus", "40=0"}, true, false), "") << "a client";
}

TEST(LaneCpus, ThatWillNotDoAreRefused) {
  for (const char* value : {"10", "10=", "=1", "-1=0", "40000=0", "x=0"})
    EXPECT_NE(feature::refusal_of("-ORBLaneCpus", value).find("it takes PRIORITY=CPUS"), std::string::npos)
        << value;
  EXPECT_NE(
      feature::refusal_of("-ORBLaneCpus", "10=3-1").find("'3-1' is not a processor or a range of processors"),
      std::string::npos);
  const std::string text = feature::refusal_of("-ORBLaneCpus", "10=1023");
  EXPECT_NE(text.find("'10=1023' is not valid: this process may run on processors "), std::string::npos)
      << text;
}

}  // namespace
}  // namespace real_time
