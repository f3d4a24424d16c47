// Lanes whose declared load is too high are refused.
#include <gtest/gtest.h>

#include <string>

#include <takt/orb/configuration.h>

#include "probe_servant.h"

namespace real_time {
namespace {

// A processor of this process; tests that bind lanes bind all of them to it.
std::string one_processor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  ::sched_getaffinity(0, sizeof set, &set);
  for (int each = 0; each < CPU_SETSIZE; ++each)
    if (CPU_ISSET(each, &set)) return std::to_string(each);
  return "0";
}

struct Loaded {
  Loaded(const std::string& loads, const std::string& most)
      : server(make_orb(
            {"-ORBListenEndpoints", "iiop://127.0.0.1:0", "-ORBLaneLoads", loads, "-ORBMaxLaneUtilisation",
             most, "-ORBLaneCpus", "10=" + cpu + ";20=" + cpu + ";30=" + cpu},
            "loaded")),
        rt(initial<RTCORBA::RTORB>(server, "RTORB")),
        root(initial<PortableServer::POA>(server, "RootPOA")) {}
  ~Loaded() { server->destroy(); }
  RTCORBA::ThreadpoolId make(const RTCORBA::ThreadpoolLanes& lanes) {
    return rt->create_threadpool_with_lanes(0, lanes, false, false, 0, 0);
  }
  // The text of NO_RESOURCES; empty if the pool was created.
  std::string refusal(const RTCORBA::ThreadpoolLanes& lanes) {
    try {
      make(lanes);
    } catch (const CORBA::NO_RESOURCES& refused) {
      return std::string(refused.detail());
    }
    return {};
  }
  const std::string cpu = one_processor();
  Orb server;
  CORBA::object_reference<RTCORBA::RTORB> rt;
  CORBA::object_reference<PortableServer::POA> root;
};

TEST(Admission, TakesLanesThatFitToTheBrim) {
  Loaded orb("10=1ms/10ms,20=20ms/100ms,30=400ms/1s", "70");
  EXPECT_EQ(orb.refusal({{10, 1, 0}, {20, 1, 0}, {30, 1, 0}}), "");
}

TEST(Admission, SaysWhichLaneDoesNotFitAndWhatIsLeft) {
  Loaded orb("10=1ms/10ms,20=20ms/100ms,30=5ms/10ms", "70");
  EXPECT_EQ(orb.refusal({{10, 1, 0}, {20, 1, 0}, {30, 1, 0}}),
            "the lane of priority 10 with its load of 1ms/10ms does not fit: it takes 10.0 % of processor " +
                orb.cpu +
                ", where 0.0 % of 70.0 % (-ORBMaxLaneUtilisation) are left by the lanes of priorities 20, 30")
      << "the highest come first";
}

TEST(Admission, OfARefusedPoolHoldsNothing) {
  Loaded orb("10=3ms/10ms,20=5ms/10ms", "70");
  EXPECT_NE(orb.refusal({{10, 1, 0}, {20, 1, 0}}), "");
  EXPECT_EQ(orb.refusal({{20, 1, 0}}), "");
}

TEST(Admission, CountsTheLanesOfAllPoolsUntilTheyAreDestroyed) {
  Loaded orb("10=4ms/10ms", "70");
  const auto first = orb.make({{10, 1, 0}});
  EXPECT_NE(orb.refusal({{10, 1, 0}}), "");
  orb.rt->destroy_threadpool(first);
  EXPECT_EQ(orb.refusal({{10, 1, 0}}), "");
}

TEST(Admission, IsAsTheLimitIsWhenAPoolIsMade) {
  Loaded orb("10=4ms/10ms", "70");
  orb.make({{10, 1, 0}});
  EXPECT_NE(orb.refusal({{10, 1, 0}}), "");
  takt::Configuration::of(orb.server).set("MaxLaneUtilisation", "80");
  EXPECT_EQ(orb.refusal({{10, 1, 0}}), "");
}

TEST(Admission, OfLanesWithoutALoadIsFree) {
  Loaded orb("10=7ms/10ms", "70");
  EXPECT_EQ(orb.refusal({{10, 1, 0}, {20, 5, 0}, {30, 5, 0}}), "");
}

TEST(Admission, RefusesLoadsThatAreNone) {
  for (const char* load : {"10", "10=1ms", "10=0/1ms", "10=2ms/1ms", "10=1/2", "10=1ms/", "x=1ms/2ms"})
    EXPECT_THROW(make_orb({"-ORBLaneLoads", load}, "refused"), CORBA::BAD_PARAM) << load;
}

}  // namespace
}  // namespace real_time
