// IDL that includes RTCORBA.idl, Messaging.idl, PortableServer.idl and BiDirPolicy.idl, beside the runtime's
// own headers.
#include <takt/corba.h>

#include "RTCORBAC.h"
#include "lanesC.h"
#include "round_trip.h"

namespace {

using namespace mapping_test;

Operations::Plan plan() {
  return {{{10, 2, 1}, {20, 1, 0}},
          RTCORBA::PriorityModel::SERVER_DECLARED,
          PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL,
          Messaging::SYNC_WITH_TARGET,
          BiDirPolicy::BOTH,
          {RTCORBA::THREADPOOL_POLICY_TYPE}};
}

TEST(StandardTypes, AreTheRuntimesOwn) {
  expect_round_trip(plan());
  EXPECT_EQ(
      text_of(plan()),
      "Operations::Plan{lanes=<RTCORBA::ThreadpoolLane{lane_priority=10,static_threads=2,dynamic_threads=1},"
      "RTCORBA::ThreadpoolLane{lane_priority=20,static_threads=1,dynamic_threads=0}>,"
      "model=RTCORBA::PriorityModel::SERVER_DECLARED,"
      "threads=PortableServer::ThreadPolicyValue::SINGLE_THREAD_MODEL,scope=3,both=1,policies=<41>}");
  EXPECT_EQ(Operations::Planner::highest, RTCORBA::maxPriority);
}

TEST(StandardTypes, GoIntoAnys) {
  CORBA::Any any;
  any <<= RTCORBA::ThreadpoolLane(7, 1, 2);
  EXPECT_EQ(any.type(), RTCORBA::_tc_ThreadpoolLane);
  RTCORBA::ThreadpoolLane lane;
  ASSERT_TRUE(any >>= lane);
  EXPECT_EQ(lane, RTCORBA::ThreadpoolLane(7, 1, 2));
  EXPECT_EQ(RTCORBA::_tc_PriorityBands->id(), "IDL:omg.org/RTCORBA/PriorityBands:1.0");
  EXPECT_EQ(PortableServer::_tc_ThreadPolicyValue->member_name(1), "SINGLE_THREAD_MODEL");
}

}  // namespace
