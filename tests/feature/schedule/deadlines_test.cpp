// Missed deadlines are counted and reported.
#include <atomic>

#include <takt/reference/quality.h>

#include "../../eventually.h"
#include "flight.h"

namespace flight {
namespace deadlines_test {
using takt::test::eventually;

TEST(ScheduleDeadlines, AMissIsCountedAndToldWithItsTimes) {
  Reports reports;
  ScheduledOrbs orbs({{.name = "Flight::Unit::sleep", .deadline = 5ms}, {.name = "look", .deadline = 1h}}, {},
                     reports.options());
  const auto unit = orbs.unit();
  unit->look();
  unit->sleep(20);
  const auto told = reports.wait_for(1);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0].kind, ScheduleReport::Kind::deadline_missed);
  EXPECT_EQ(told[0].operation, "Flight::Unit::sleep");
  EXPECT_EQ(told[0].allowed, 5ms);
  EXPECT_GE(told[0].took, 20ms);
  EXPECT_EQ(orbs.of("Flight::Unit::sleep").deadlines_missed, 1u);
  EXPECT_GE(orbs.of("Flight::Unit::sleep").longest_response, 20ms);
  EXPECT_EQ(orbs.of("look").deadlines_missed, 0u);
}

TEST(ScheduleDeadlines, TimeInTheQueueCounts) {
  ScheduledOrbs orbs({{.name = "one", .deadline = 20ms}, {.name = "two", .deadline = 1h}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.noticing(servant, orbs.root);
  std::thread holding([&] { unit->hold(); });
  ASSERT_TRUE(servant->is_held());
  unit->one();
  unit->two();
  unit->last();
  std::this_thread::sleep_for(30ms);
  servant->let_go();
  holding.join();
  EXPECT_EQ(servant->noted(2).size(), 2u);
  EXPECT_EQ(unit->look().corba_priority(), -1);  // ensures that both have ended
  EXPECT_EQ(orbs.of("one").deadlines_missed, 1u);
  EXPECT_EQ(orbs.of("two").deadlines_missed, 0u);
}

TEST(ScheduleDeadlines, WhatTheClientSaysCountsBeforeTheTable) {
  ScheduledOrbs orbs({{.name = "sleep", .deadline = 1ms}});
  const auto unit = orbs.unit();
  const takt::DeadlineScope in_time(20s);
  unit->sleep(5);
  EXPECT_EQ(orbs.of("sleep").deadlines_missed, 0u);
  EXPECT_EQ(orbs.of("sleep").begun, 1u);
}

TEST(ScheduleDeadlines, ACallBackThatDoesNotReturnHoldsUpNoRequestAndWhatIsLostIsCounted) {
  std::mutex mutex;
  std::unique_lock closed(mutex);
  std::atomic<int> told{0};
  ScheduledOrbs orbs({{.name = "look", .deadline = 1ns}}, {},
                     {.report =
                          [&](const ScheduleReport&) {
                            ++told;
                            std::lock_guard wait(mutex);
                          },
                      .pending_reports = 4});
  const auto unit = orbs.unit();
  unit->look();
  EXPECT_TRUE(eventually([&] { return told != 0; }));
  for (int i = 0; i < 10; ++i) unit->look();
  EXPECT_EQ(orbs.of("look").deadlines_missed, 11u);
  EXPECT_EQ(orbs.scheduler->reports_lost(), 6u) << "one is told, and four wait";
  closed.unlock();
  orbs.server->shutdown(true);
  EXPECT_EQ(told, 5) << "what waited is told before the ORB has ended";
}

TEST(ScheduleDeadlines, ACallBackMayThrowAndCallTheOrb) {
  std::atomic<int> told{0};
  ScheduledOrbs* running = nullptr;
  std::atomic<std::uint64_t> seen{0};
  ScheduledOrbs orbs({{.name = "look", .deadline = 1ns}}, {}, {.report = [&](const ScheduleReport&) {
                       seen = running->of("look").deadlines_missed;
                       if (++told == 2) running->server->shutdown(false);
                       throw 42;
                     }});
  running = &orbs;
  const auto unit = orbs.unit();
  unit->look();
  EXPECT_TRUE(eventually([&] { return told >= 1; }));
  EXPECT_GE(seen, 1u);
  try {
    unit->look();
  } catch (const CORBA::SystemException&) {  // the server may have gone before its reply
  }
  EXPECT_TRUE(eventually([&] { return told >= 2; }));
  orbs.server->shutdown(true);
}

}  // namespace deadlines_test
}  // namespace flight
