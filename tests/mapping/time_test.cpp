// IDL that includes TimeBase.idl, beside the runtime's own TimeBase.
#include <takt/reference/messaging.h>

#include "TimeBaseC.h"
#include "clockC.h"
#include "round_trip.h"

namespace {

using namespace mapping_test;

TEST(TimeBase, IsTheRuntimesOwn) {
  const TimeBase::IntervalT hour(0, 36'000'000'000);
  Clocks::Alarm alarm(TimeBase::UtcT(5, 6, 7, -60), 60);
  alarm.at().time() = hour.upper_bound();
  expect_round_trip(alarm);
  expect_round_trip(Clocks::Intervals{hour, TimeBase::IntervalT(1, 2)});
  EXPECT_EQ(text_of(alarm),
            "Clocks::Alarm{at=TimeBase::UtcT{time=36000000000,inacclo=6,inacchi=7,tdf=-60},zone=60}");
  std::ostringstream out;
  out << hour;
  EXPECT_EQ(out.str(), "TimeBase::IntervalT{lower_bound=0,upper_bound=36000000000}");
  auto other = hour;
  TimeBase::IntervalT none;
  swap(other, none);
  EXPECT_EQ(none, hour);
}

TEST(TimeBase, HasTypeCodes) {
  EXPECT_EQ(TimeBase::_tc_InaccuracyT->content_type(), TimeBase::_tc_TimeT);
  EXPECT_EQ(TimeBase::_tc_TdfT->id(), "IDL:omg.org/TimeBase/TdfT:1.0");
  EXPECT_EQ(TimeBase::_tc_IntervalT->member_name(1), "upper_bound");
  EXPECT_EQ(Clocks::_tc_Alarm->member_type(0), TimeBase::_tc_UtcT);
}

}  // namespace
