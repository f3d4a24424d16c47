// Lanes for whose threads the operating system reserves processor time.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "reserving_lanes.h"
#include "threads/thread.h"

namespace real_time {
namespace {

constexpr const char* reservations = "-ORBLaneReservations";

TEST(Reservations, AreOfTheLanesThatHaveThem) {
  REQUIRE_RESERVATIONS();
  for (const bool buffered : {false, true}) {
    Reserving orb({reservations, "20=2ms/100ms,30=3ms/100ms"});
    const auto pool = orb.make({{10, 1, 0}, {20, 2, 0}, {30, 1, 0}}, buffered);
    EXPECT_EQ(orb.class_at(pool, 10), "fifo 10");
    EXPECT_EQ(orb.class_at(pool, 20), "2000 us reserved");
    EXPECT_EQ(orb.class_at(pool, 30), "3000 us reserved");
  }
}

TEST(Reservations, StayWithTheThreadWhateverARequestsPriorityIs) {
  REQUIRE_RESERVATIONS();
  Reserving orb({reservations, "20=2ms/100ms"});
  const auto pool = orb.make({{20, 1, 0}});
  std::thread([&] {
    initial<RTCORBA::Current>(orb.client, "RTCurrent")->the_priority(25);
    EXPECT_EQ(orb.class_at(pool, 20, PriorityModel::CLIENT_PROPAGATED), "2000 us reserved");
  }).join();
}

TEST(Reservations, ThatDoNotFitRefuseTheirLane) {
  REQUIRE_RESERVATIONS();
  Reserving orb({reservations, "20=90ms/100ms,30=1ms/100ms"});
  const auto most = takt::os::usable_processors() + 1;
  try {
    orb.rt->create_threadpool_with_lanes(0, {{20, static_cast<std::uint32_t>(most), 0}}, false, false, 0, 0);
    FAIL() << "nothing was thrown";
  } catch (const CORBA::NO_RESOURCES& refused) {
    const std::string said(refused.detail());
    for (const char* part : {"priority 20", "90000 us of each 100000 us", "-ORBLaneReservations"})
      EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
  }
  EXPECT_EQ(orb.class_at(orb.make({{30, 1, 0}}), 30), "1000 us reserved")
      << "nothing is held of the one that was refused";
}

TEST(Reservations, WithTimesThatTheKernelNeverTakesAreRefusedWithThese) {
  for (const auto& [option, times] :
       {std::pair{"20=1ns/1ms", "1 ns of each 1000 us"}, {"20=1ms/1h", "1000 us of each 3600000000 us"}}) {
    Reserving orb({reservations, option});
    try {
      orb.rt->create_threadpool_with_lanes(0, {{20, 1, 0}}, false, false, 0, 0);
      FAIL() << "nothing was thrown";
    } catch (const CORBA::NO_RESOURCES& refused) {
      const std::string said(refused.detail());
      for (const char* part : {times, "budgets of 1024 ns at least", "100 us to 4 s"})
        EXPECT_NE(said.find(part), std::string::npos) << part << " in " << said;
    }
  }
}

TEST(Reservations, OfADestroyedPoolAreFree) {
  REQUIRE_RESERVATIONS();
  Reserving orb({reservations, "20=90ms/100ms"});
  for (int i = 0; i < 3; ++i) orb.rt->destroy_threadpool(orb.make({{20, 1, 0}}));
}

TEST(Reservations, ThatAreNoneOrOfBoundLanesAreRefused) {
  for (const char* text : {"10", "10=1ms", "10=2ms/1ms", "10=0/1ms", "x=1ms/2ms"})
    EXPECT_THROW(make_orb({"-ORBLaneReservations", text}, "refused"), CORBA::BAD_PARAM) << text;
  EXPECT_THROW(make_orb({"-ORBLaneReservations", "10=1ms/10ms", "-ORBLaneCpus", "10=0"}, "refused"),
               CORBA::BAD_PARAM);
}

TEST(Reservations, BelowALaneThatHasNoneAreSaid) {
  REQUIRE_RESERVATIONS();
  testing::internal::CaptureStderr();
  {
    Reserving orb({reservations, "10=1ms/100ms", "-ORBLogLevel", "warning"});
    orb.make({{20, 1, 0}, {10, 1, 0}});
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("the lane of priority 10 has processor time set aside"), std::string::npos) << said;
  EXPECT_NE(said.find("those of priority 20"), std::string::npos) << said;
}

// ReserveLaneLoads as an option, and in the personalities that set it.
struct ReservingLoads : Reserving {
  explicit ReservingLoads(const std::string& loads,
                          std::vector<std::string> more = {"-ORBReserveLaneLoads", "on"})
      : Reserving(with_loads(loads, std::move(more))) {}

 private:
  static std::vector<std::string> with_loads(const std::string& loads, std::vector<std::string> more) {
    if (!loads.empty()) more.insert(more.end(), {"-ORBLaneLoads", loads});
    return more;
  }
};

TEST(Reservations, OfLoadsBeginWithTheHighestLane) {
  REQUIRE_RESERVATIONS();
  for (const bool buffered : {false, true}) {
    ReservingLoads orb("30=2ms/100ms,20=3ms/100ms,10=1ms/100ms");
    const auto pool = orb.make({{15, 1, 0}, {20, 1, 0}, {30, 2, 0}, {10, 1, 0}}, buffered);
    EXPECT_EQ(orb.class_at(pool, 30), "2000 us reserved");
    EXPECT_EQ(orb.class_at(pool, 20), "3000 us reserved");
    EXPECT_EQ(orb.class_at(pool, 15), "fifo 15") << "no load is declared";
    EXPECT_EQ(orb.class_at(pool, 10), "fifo 10") << "lane 15 would run behind it";
  }
}

TEST(Reservations, OfLoadsAreThosePersonalitiesThatHaveThem) {
  REQUIRE_RESERVATIONS();
  for (const char* personality : {"realtime", "avionics"}) {
    ReservingLoads orb("30=2ms/100ms", {"-ORBPersonality", personality});
    EXPECT_EQ(orb.class_at(orb.make({{30, 1, 0}}), 30), "2000 us reserved") << personality;
    ReservingLoads none("", {"-ORBPersonality", personality});
    EXPECT_EQ(none.class_at(none.make({{30, 1, 0}}), 30), "fifo 30") << personality;
    ReservingLoads off("30=2ms/100ms", {"-ORBPersonality", personality, "-ORBReserveLaneLoads", "off"});
    EXPECT_EQ(off.class_at(off.make({{30, 1, 0}}), 30), "fifo 30") << personality;
  }
  ReservingLoads standard("30=2ms/100ms", {});
  EXPECT_EQ(standard.class_at(standard.make({{30, 1, 0}}), 30), "fifo 30");
}

TEST(Reservations, OfLoadsHaveNoShorterPeriodsThanThoseAbove) {
  REQUIRE_RESERVATIONS();
  ReservingLoads orb("30=2ms/100ms,20=1ms/50ms");
  const auto low = orb.make({{20, 1, 0}});
  EXPECT_EQ(orb.class_at(low, 20), "1000 us reserved");
  const auto high = orb.make({{30, 1, 0}});
  EXPECT_EQ(orb.class_at(high, 30), "2000 us reserved");
  EXPECT_EQ(orb.class_at(low, 20), "fifo 20") << "its deadlines would come first";
}

TEST(Reservations, OfLoadsEndWhereAHigherLaneComesWithoutOne) {
  REQUIRE_RESERVATIONS();
  ReservingLoads orb("30=2ms/100ms,20=3ms/100ms");
  const auto low = orb.make({{20, 1, 0}, {30, 1, 0}});
  const auto object = orb.probe(low, 20);
  EXPECT_EQ(object->look().thread(), "3000 us reserved");
  const auto high = orb.make({{25, 1, 0}});
  EXPECT_EQ(orb.class_at(high, 25), "fifo 25");
  EXPECT_EQ(object->look().thread(), "fifo 20");
  EXPECT_EQ(orb.class_at(low, 30), "2000 us reserved");
}

TEST(Reservations, OfLoadsAreNotThoseOfBoundLanesOrOfThreadsThatAreLent) {
  REQUIRE_RESERVATIONS();
  ReservingLoads bound("30=2ms/100ms,20=3ms/100ms", {"-ORBReserveLaneLoads", "on", "-ORBLaneCpus", "30=0"});
  const auto pool = bound.make({{30, 1, 0}, {20, 1, 0}});
  EXPECT_EQ(bound.class_at(pool, 30), "fifo 30");
  EXPECT_EQ(bound.class_at(pool, 20), "fifo 20");
  ReservingLoads lent("30=2ms/100ms,20=3ms/100ms");
  EXPECT_EQ(lent.class_at(lent.make({{30, 1, 0}, {20, 1, 0}}, false, true), 30), "fifo 30");
}

TEST(Reservations, OfLoadsThatTheSystemRefusesAreSaidOnceAndDoneWithout) {
  REQUIRE_RESERVATIONS();
  const auto most = static_cast<std::uint32_t>(takt::os::usable_processors() + 1);
  testing::internal::CaptureStderr();
  std::string top, middle, low;
  {
    ReservingLoads orb("40=1ms/100ms,30=100ms/100ms,20=3ms/100ms",
                       {"-ORBReserveLaneLoads", "on", "-ORBLogLevel", "warning", "-ORBMaxLaneUtilisation",
                        "100", "-ORBLaneCpus", "10=0"});
    const auto pool = orb.make({{30, most, 0}, {20, 1, 0}, {40, 1, 0}});
    top = orb.class_at(pool, 40), middle = orb.class_at(pool, 30), low = orb.class_at(pool, 20);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(top, "1000 us reserved");
  EXPECT_EQ(middle, "fifo 30");
  EXPECT_EQ(low, "fifo 20");
  constexpr const char* words = "the declared load of the lane of priority 30 is not set aside";
  EXPECT_NE(said.find(words), std::string::npos) << said;
  EXPECT_EQ(said.find(words), said.rfind(words)) << said;
}

TEST(Reservations, OfLoadsAreThoseOfThreadsThatAreAdded) {
  REQUIRE_RESERVATIONS();
  ReservingLoads orb("30=2ms/100ms");
  const auto pool = orb.make({{30, 1, 2}});
  const auto holding = orb.probe(pool, 30);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(holding->look_through(orb.probe(pool, 30)).thread(), "2000 us reserved");
}

}  // namespace
}  // namespace real_time
