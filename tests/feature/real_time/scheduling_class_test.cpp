// The system's scheduling class for threads with a priority, and the ORB's messages about it.
#include <gtest/gtest.h>

#include <fstream>

#include "probe_servant.h"

namespace real_time {
namespace {

// Reports the scheduling class of its thread in native_priority.
class ClassServant final : public virtual CORBA::servant_traits<RtTest::Probe>::base_type {
 public:
  RtTest::Seen look() override {
    sched_param parameters{};
    int policy = -1;
    ::pthread_getschedparam(::pthread_self(), &policy, &parameters);
    return {-1, policy, policy == SCHED_FIFO, ""};
  }
  RtTest::Seen look_through(ProbeRef) override { return look(); }
  bool meet(std::uint32_t) override { return false; }
};

int class_in_a_lane(const char* scheduling_class, const char* log_level = "warning") {
  const auto orb = make_orb({"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBSchedulingClass",
                             scheduling_class, "-ORBLogLevel", log_level},
                            "class-server");
  const auto client = make_orb({}, "class-client");
  const auto root = initial<PortableServer::POA>(orb, "RootPOA");
  root->the_POAManager()->activate();
  const auto rt = initial<RTCORBA::RTORB>(orb, "RTORB");
  const auto pool = rt->create_threadpool_with_lanes(0, {{100, 2, 0}, {200, 1, 0}}, false, false, 0, 0);
  const auto poa = root->create_POA("lanes", root->the_POAManager(),
                                    {rt->create_priority_model_policy(PriorityModel::SERVER_DECLARED, 100),
                                     rt->create_threadpool_policy(pool)});
  const auto object = poa->id_to_reference(poa->activate_object(CORBA::make_reference<ClassServant>()));
  const int seen = IDL::traits<RtTest::Probe>::narrow(client->string_to_object(orb->object_to_string(object)))
                       ->look()
                       .native_priority();
  client->destroy();
  orb->destroy();
  return seen;
}

TEST(SchedulingClass, IsTheLanes) {
  REQUIRE_REAL_TIME();
  EXPECT_EQ(class_in_a_lane("fifo"), SCHED_FIFO);
  EXPECT_EQ(class_in_a_lane("round-robin"), SCHED_RR);
}

TEST(SchedulingClass, OtherNeedsNoPrivilegeAndSaysNothing) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(class_in_a_lane("other"), SCHED_OTHER);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

bool system_throttles() {
  long runtime = -1, period = 0;
  std::ifstream("/proc/sys/kernel/sched_rt_runtime_us") >> runtime;
  std::ifstream("/proc/sys/kernel/sched_rt_period_us") >> period;
  return runtime >= 0 && runtime < period;
}

int times_said(const char* log_level) {
  testing::internal::CaptureStderr();
  class_in_a_lane("fifo", log_level);
  const std::string said = testing::internal::GetCapturedStderr();
  int times = 0;
  for (auto at = said.find("sched_rt_runtime_us"); at != std::string::npos;
       at = said.find("sched_rt_runtime_us", at + 1))
    ++times;
  return times;
}

TEST(Throttling, IsSaidOnceByAnOrbWithRealTimeThreads) {
  REQUIRE_REAL_TIME();
  if (!system_throttles()) GTEST_SKIP() << "this system does not throttle real-time threads";
  EXPECT_EQ(times_said("warning"), 1);
  EXPECT_EQ(times_said("off"), 0);
}

// The texts of the warnings about lanes that share a native priority.
std::vector<std::string> said_of_shared(std::vector<std::string> options,
                                        std::initializer_list<std::int16_t> pools,
                                        std::initializer_list<RTCORBA::PriorityBands> bands = {}) {
  options.insert(options.end(), {"-ORBListenEndpoints", "iiop://127.0.0.1:0"});
  testing::internal::CaptureStderr();
  const auto orb = make_orb(options, "shared-priorities");
  const auto root = initial<PortableServer::POA>(orb, "RootPOA");
  const auto rt = initial<RTCORBA::RTORB>(orb, "RTORB");
  for (const std::int16_t priority : pools)
    rt->create_threadpool_with_lanes(0, {{priority, 1, 0}}, false, false, 0, 0);
  for (const auto& one : bands)  // each for two adapters
    for (const char* const name : {"first", "second"})
      root->create_POA(name + std::to_string(&one - bands.begin()), root->the_POAManager(),
                       {rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, one.front().low()),
                        rt->create_priority_banded_connection_policy(one)});
  orb->destroy();
  const std::string said = testing::internal::GetCapturedStderr();
  std::vector<std::string> texts;
  for (auto at = said.find("priorities "); at != said.npos; at = said.find("priorities ", at)) {
    const auto end = said.find(',', at);
    texts.push_back(said.substr(at, end - at));
    at = said.find('\n', end);
  }
  return texts;
}

TEST(SharedNativePriority, OfLanesOfOnePoolIsSaid) {
  EXPECT_EQ(
      said_of_shared({"-ORBLanes", "10=1,40=1"}, {}),
      std::vector<std::string>{
          "priorities 10 (lane) and 40 (lane) are both native priority 1 by the priority mapping linear"});
}

TEST(SharedNativePriority, OfLanesOfTwoPoolsIsSaid) {
  const std::vector<std::string> texts{
      "priorities 10 (lane of another pool) and 40 (lane) are both native priority 1 by the priority mapping "
      "linear"};
  EXPECT_EQ(said_of_shared({}, {10, 40}), texts);
  EXPECT_EQ(said_of_shared({"-ORBLanes", "10=1"}, {40}), texts);
}

TEST(SharedNativePriority, IsSaidOfEachPoolThatSharesOne) {
  EXPECT_EQ(said_of_shared({}, {10, 40, 1000}).size(), 1u);
  EXPECT_EQ(said_of_shared({}, {10, 40, 2100, 2200}).size(), 2u);
}

TEST(SharedNativePriority, OfBandsIsSaidOnce) {
  const RTCORBA::PriorityBands bands{{0, 10}, {11, 99}};
  EXPECT_EQ(
      said_of_shared({}, {}, {bands}),
      std::vector<std::string>{
          "priorities 10 (band) and 99 (band) are both native priority 1 by the priority mapping linear"});
  EXPECT_TRUE(said_of_shared({"-ORBPriorityMapping", "direct"}, {}, {{{1, 10}, {11, 99}}}).empty());
  EXPECT_TRUE(said_of_shared({}, {}, {{{0, 20'000}, {20'001, 32'767}}}).empty());
}

TEST(SharedNativePriority, IsNoMatterOfOnePriorityOrDistinctOnes) {
  EXPECT_TRUE(said_of_shared({}, {10, 10, 1000}).empty());
  EXPECT_TRUE(said_of_shared({"-ORBPriorityMapping", "direct"}, {10, 40}).empty());
}

}  // namespace
}  // namespace real_time
