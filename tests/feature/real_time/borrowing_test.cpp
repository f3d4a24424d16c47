// Lanes that borrow threads from lanes of lower priority.
#include <gtest/gtest.h>

#include "station_servant.h"

namespace real_time {
namespace {

using namespace std::chrono_literals;

class Borrowing : public testing::Test {
 protected:
  void SetUp() override { REQUIRE_REAL_TIME(); }
  ~Borrowing() override { station->let_go(1000); }

  ProbeRef lanes(const RTCORBA::ThreadpoolLanes& list, std::uint32_t buffered = 0) {
    const auto pool = orbs.rt->create_threadpool_with_lanes(0, list, true, buffered > 0, buffered, 0);
    poa = orbs.make_poa({orbs.rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                         orbs.rt->create_threadpool_policy(pool)});
    return orbs.to_client(poa->id_to_reference(poa->activate_object(station)));
  }
  std::future<RtTest::Seen> look(const ProbeRef& probe, std::int16_t priority) {
    return look_at(orbs, probe, priority);
  }
  static void expect(std::future<RtTest::Seen>& call, const char* thread, int native_priority) {
    const auto seen = call.get();
    EXPECT_EQ(seen.thread(), thread);
    EXPECT_EQ(seen.native_priority(), native_priority);
    EXPECT_TRUE(seen.real_time());
  }

  TwoOrbs orbs;
  CORBA::object_reference<PortableServer::POA> poa;
  CORBA::servant_reference<Station> station = CORBA::make_reference<Station>(orbs.server);
};

TEST_F(Borrowing, ALaneOutOfThreadsBorrowsOneThatRunsAtItsPriorityAndGivesItBack) {
  const auto probe = lanes({{10, 1, 0}, {20, 1, 0}});
  auto own = look(probe, 20);
  ASSERT_TRUE(station->reached_by(1));
  auto borrowed = look(probe, 20);
  ASSERT_TRUE(station->reached_by(2));
  station->let_go(2);
  expect(own, "takt-lane-20", 20);
  expect(borrowed, "takt-lane-10", 20);
  auto given_back = look(probe, 10);
  station->let_go(1);
  expect(given_back, "takt-lane-10", 10);
}

TEST_F(Borrowing, TheHighestLaneBelowThatHasOneLends) {
  const auto probe = lanes({{20, 1, 0}, {5, 1, 0}, {10, 1, 0}});
  std::vector<std::future<RtTest::Seen>> calls;
  for (int i = 1; i <= 3; ++i) {
    calls.push_back(look(probe, 20));
    ASSERT_TRUE(station->reached_by(i));
  }
  station->let_go(3);
  expect(calls[0], "takt-lane-20", 20);
  expect(calls[1], "takt-lane-10", 20);
  expect(calls[2], "takt-lane-5", 20);
}

TEST_F(Borrowing, ItsOwnDynamicThreadsComeFirst) {
  const auto probe = lanes({{10, 1, 0}, {20, 1, 1}});
  std::vector<std::future<RtTest::Seen>> calls;
  for (int i = 1; i <= 3; ++i) {
    calls.push_back(look(probe, 20));
    ASSERT_TRUE(station->reached_by(i));
  }
  station->let_go(3);
  expect(calls[0], "takt-lane-20", 20);
  expect(calls[1], "takt-lane-20", 20);
  expect(calls[2], "takt-lane-10", 20);
}

TEST_F(Borrowing, NoLaneBorrowsFromAHigherOne) {
  const auto probe = lanes({{10, 1, 0}, {20, 1, 0}});
  auto busy = look(probe, 10);
  ASSERT_TRUE(station->reached_by(1));
  EXPECT_THROW(look(probe, 10).get(), CORBA::TRANSIENT);
  auto above = look(probe, 20);
  ASSERT_TRUE(station->reached_by(2)) << "others are unharmed";
  station->let_go(2);
  expect(busy, "takt-lane-10", 10);
  expect(above, "takt-lane-20", 20);
}

TEST_F(Borrowing, OutOfThreadsEverywhereIsTransient) {
  const auto probe = lanes({{10, 1, 0}, {20, 1, 0}});
  auto own = look(probe, 20), borrowed = look(probe, 20);
  ASSERT_TRUE(station->reached_by(2));
  try {
    look(probe, 20).get();
    FAIL();
  } catch (const CORBA::TRANSIENT& refused) {
    EXPECT_EQ(refused.completed(), CORBA::COMPLETED_NO);
  }
  station->let_go(2);
  own.get();
  borrowed.get();
}

TEST_F(Borrowing, AThreadThatBecomesIdleServesWhatWaitsInAHigherLane) {
  const auto probe = lanes({{10, 1, 0}, {20, 1, 0}}, 10);
  const auto station_below = CORBA::make_reference<Station>(orbs.server);
  const auto below = orbs.to_client(poa->id_to_reference(poa->activate_object(station_below)));
  auto low = look(below, 10);
  ASSERT_TRUE(station_below->reached_by(1));
  auto high = look(probe, 20);
  ASSERT_TRUE(station->reached_by(1));
  auto low_waits = look(below, 10), high_waits = look(probe, 20);
  EXPECT_EQ(high_waits.wait_for(100ms), std::future_status::timeout);
  station_below->let_go(2);
  ASSERT_TRUE(station->reached_by(2)) << "the other thread of its own is still inside";
  station->let_go(2);
  expect(high, "takt-lane-20", 20);
  expect(high_waits, "takt-lane-10", 20);
  expect(low, "takt-lane-10", 10);
  expect(low_waits, "takt-lane-10", 10);
}

TEST_F(Borrowing, ManyCallsOfAllLanesAreAllServed) {
  const auto probe = lanes({{10, 2, 0}, {20, 1, 0}, {30, 1, 0}}, 100);
  station->let_go(1'000'000);
  std::vector<std::thread> callers;
  std::atomic<int> right{0};
  for (const std::int16_t priority : {10, 20, 30, 30, 20, 10})
    callers.emplace_back([&, priority] {
      orbs.current->the_priority(priority);
      for (int i = 0; i < 300; ++i) right += probe->look().native_priority() == priority ? 1 : 0;
    });
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(right, 6 * 300);
}

// The next request of a client may come before the thread that has sent its answer is idle again.
TEST(BorrowingWithoutPriorities, NeverRefusesALoneClient) {
  feature::OrbPair orbs({"-ORBSchedulingClass", "other"}, {}, feature::OrbPair::loopback,
                        feature::OrbPair::Server::serves_by_its_own_threads);
  const auto rt = initial<RTCORBA::RTORB>(orbs.server, "RTORB");
  const auto pool = rt->create_threadpool_with_lanes(0, {{10, 1, 0}}, true, false, 0, 0);
  const auto probe = orbs.publish<RtTest::Probe>(
      CORBA::make_reference<ProbeServant>(orbs.server),
      orbs.make_poa({rt->create_priority_model_policy(PriorityModel::CLIENT_PROPAGATED, 10),
                     rt->create_threadpool_policy(pool)}));
  for (int i = 0; i < 3000; ++i) ASSERT_NO_THROW(probe->look()) << i;
}

}  // namespace
}  // namespace real_time
