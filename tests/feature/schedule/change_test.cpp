// Another schedule takes over while requests are being served.
#include <pthread.h>

#include <atomic>
#include <future>
#include <map>

#include <takt/threads/thread_hook.h>

#include "periodic.h"

namespace flight {
namespace change_test {

using takt::rt::PeriodicJob;
using Operations = std::vector<ScheduledOperation>;

TEST(ScheduleChange, RequestsUnderWayEndByTheOldScheduleAndLaterOnesGoByTheNew) {
  ScheduledOrbs orbs({{.name = "hold", .deadline = 1h}, {.name = "look"}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "2"});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.publish<Flight::Unit>(servant);
  std::thread holding([&] { unit->hold(); });
  ASSERT_TRUE(servant->is_held());
  const auto changed = orbs.scheduler->change({{.name = "hold", .deadline = 1ns}, {.name = "spin"}});
  EXPECT_GE(changed.waited, 0ns);
  EXPECT_EQ(orbs.scheduler->changes(), 1u);
  servant->let_go();
  holding.join();
  EXPECT_EQ(orbs.of("hold").deadlines_missed, 0u);
  EXPECT_EQ(orbs.of("hold").begun, 1u) << "it is the same operation";
  unit->hold();
  unit->spin(0);
  EXPECT_EQ(orbs.of("hold").deadlines_missed, 1u);
  EXPECT_EQ(orbs.of("spin").begun, 1u);
  EXPECT_THROW(orbs.of("look"), CORBA::BAD_PARAM) << "it is not in the schedule any more";
  unit->look();
  orbs.scheduler->change({{.name = "look"}});
  EXPECT_EQ(orbs.of("look").begun, 0u);
}

TEST(ScheduleChange, AnInheritedOperationIsFoundInTheNewScheduleToo) {
  ScheduledOrbs orbs({{.name = "Flight::Unit::look"}});
  const auto wing = orbs.wing();
  wing->look();
  orbs.scheduler->change({{.name = "Flight::Unit::look"}, {.name = "Wing::trim"}});
  wing->look();
  wing->trim();
  orbs.scheduler->change({{.name = "Wing::look"}, {.name = "Flight::Unit::look"}});
  wing->look();
  EXPECT_EQ(orbs.of("Flight::Unit::look").begun, 2u);
  EXPECT_EQ(orbs.of("Wing::look").begun, 1u);
}

TEST(ScheduleChange, PrioritiesAreTheNewOnesFromThenOn) {
  REQUIRE_REAL_TIME();
  ScheduledOrbs orbs({{.name = "look", .priority = 10}},
                     {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "1"});
  const auto unit = orbs.unit();
  for (const std::int16_t priority : {10, 30, 20}) {
    orbs.scheduler->change({{.name = "look", .priority = priority}});
    EXPECT_EQ(unit->look().native_priority(), priority);
  }
}

TEST(ScheduleChange, WhatIsRefusedChangesNothing) {
  {
    ScheduledOrbs none({});
    EXPECT_THROW(none.scheduler->change({{.name = "a"}}), CORBA::BAD_INV_ORDER);
  }
  ScheduledOrbs orbs({{.name = "look", .queue = 2}}, {"-ORBServerConcurrency", "threading-framework"});
  EXPECT_THROW(orbs.scheduler->change({}), CORBA::BAD_PARAM);
  EXPECT_THROW(orbs.scheduler->change({{.name = "look", .queue = 2}, {.name = "look", .queue = 2}}),
               CORBA::BAD_PARAM);
  EXPECT_THROW(orbs.scheduler->change({{.name = "look", .priority = 1000, .queue = 2}}),
               CORBA::DATA_CONVERSION);
  EXPECT_THROW(orbs.scheduler->change({{.name = "look", .queue = 3}}), CORBA::BAD_PARAM)
      << "no threads are there for it";
  orbs.unit()->look();
  EXPECT_EQ(orbs.scheduler->changes(), 0u);
  EXPECT_EQ(orbs.of("look").begun, 1u);
  orbs.scheduler->change({{.name = "look", .queue = 2}, {.name = "spin", .queue = 2}});
  orbs.unit()->spin(0);
  EXPECT_EQ(orbs.of("spin").begun, 1u);
  orbs.server->shutdown(true);
  EXPECT_THROW(orbs.scheduler->change({{.name = "look", .queue = 2}}), CORBA::BAD_INV_ORDER);
}

TEST(ScheduleChange, FormerSchedulesThatRequestsHoldAreBounded) {
  ScheduledOrbs orbs({{.name = "hold"}}, {"-ORBServerConcurrency", "worker-pool", "-ORBServerThreads", "20"});
  const auto servant = CORBA::make_reference<UnitServant>(orbs.server);
  const auto unit = orbs.publish<Flight::Unit>(servant);
  std::vector<std::thread> holding;
  std::uint64_t begun = 0;
  int changed = 0;
  for (; changed < 20; ++changed) {
    holding.emplace_back([&] { unit->hold(); });
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (orbs.of("hold").begun <= begun && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    begun = orbs.of("hold").begun;
    try {
      orbs.scheduler->change({{.name = "hold"}});
    } catch (const CORBA::TRANSIENT&) {
      break;
    }
  }
  EXPECT_EQ(changed, 15) << "of sixteen schedules one is in force";
  servant->let_go();
  for (auto& each : holding) each.join();
  orbs.scheduler->change({{.name = "hold"}});
  EXPECT_EQ(orbs.scheduler->changes(), 16u);
  EXPECT_EQ(orbs.of("hold").begun, begun);
}

TEST(ScheduleChange, ManyChangesAmongManyRequestsLoseNone) {
  for (const char* concurrency : {"worker-pool", "thread-per-connection", "threading-framework"}) {
    SCOPED_TRACE(concurrency);
    ScheduledOrbs orbs({{.name = "look", .deadline = 1h}}, {"-ORBServerConcurrency", concurrency});
    const auto unit = orbs.unit();
    const auto wing = orbs.wing();
    std::atomic<bool> over{false};
    std::atomic<std::uint64_t> calls{0};
    std::vector<std::thread> callers;
    for (int i = 0; i < 3; ++i)
      callers.emplace_back([&] {
        while (!over) {
          unit->look();
          wing->look();
          calls += 2;
        }
      });
    std::uint64_t changed = 0;
    for (int i = 0; i < 300; ++i) try {
        orbs.scheduler->change(i % 2 == 0 ? Operations{{.name = "look", .deadline = 1ms}, {.name = "spin"}}
                                          : Operations{{.name = "look", .deadline = 1h}});
        ++changed;
      } catch (const CORBA::TRANSIENT&) {  // the limit of schedules in use is reached
      }
    over = true;
    for (auto& each : callers) each.join();
    EXPECT_EQ(orbs.of("look").begun, calls);
    EXPECT_EQ(orbs.scheduler->changes(), changed);
    EXPECT_GT(changed, 100u);
  }
}

TEST(ScheduleChange, PeriodicCallsChangeTheirRatesAndOthersKeepTheirs) {
  ScheduledOrbs orbs({{.name = "one", .period = 5ms}, {.name = "two", .period = 3ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs one, two, three;
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob& job) { one.note(job); }});
  dispatcher->add({.operation = "two", .call = [&](const PeriodicJob& job) { two.note(job); }});
  const auto first = dispatcher->start();
  two.wait_for(3);
  const auto changed =
      orbs.scheduler->change({{.name = "one", .period = 5ms}, {.name = "two", .period = 2ms, .phase = 1ms}});
  const auto had = two.wait_for(0).size();
  two.wait_for(had + 5);
  orbs.scheduler->change({{.name = "one", .period = 5ms}});
  const auto twos = two.wait_for(0);
  one.wait_for(one.wait_for(0).size() + 3);
  EXPECT_EQ(two.wait_for(0).size(), twos.size()) << "it is in the schedule no more";
  EXPECT_TRUE(dispatcher->stop());
  for (const auto& job : one.wait_for(0)) EXPECT_EQ((job.release - first) % 5ms, 0ns);
  for (const auto& job : twos)
    if (job.release < changed.at)
      EXPECT_EQ((job.release - first) % 3ms, 0ns);
    else
      EXPECT_EQ((job.release - changed.at) % 2ms, 1ms);
  EXPECT_GE(twos.back().release, changed.at);
}

TEST(ScheduleChange, AnOperationMovesToAnotherThreadWhenItsJobHasEnded) {
  REQUIRE_REAL_TIME();
  ScheduledOrbs orbs({{.name = "one", .priority = 10, .period = 1ms}});
  const auto current =
      IDL::traits<RTCORBA::Current>::narrow(orbs.server->resolve_initial_references("RTCurrent"));
  const auto dispatcher = dispatcher_of(orbs.server);
  std::atomic<int> inside{0}, overlaps{0}, prepared{0};
  std::mutex mutex;
  std::map<std::string, int> threads;
  dispatcher->add({.operation = "one",
                   .call =
                       [&](const PeriodicJob&) {
                         overlaps += inside++;
                         const auto seen = what_i_run_at(current);
                         {
                           std::lock_guard lock(mutex);
                           ++threads[seen.thread() + " at " + std::to_string(seen.native_priority())];
                         }
                         --inside;
                       },
                   .prepare = [&] { ++prepared; }});
  dispatcher->start();
  for (int i = 0; i < 50; ++i) {
    const auto priority = static_cast<std::int16_t>(10 + (i + 1) % 3);
    orbs.scheduler->change({{.name = "one", .priority = priority, .period = 1ms}});
    const auto begun = orbs.of("one").begun;
    const auto end = std::chrono::steady_clock::now() + 20s;
    while (orbs.of("one").begun == begun && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  }
  EXPECT_TRUE(dispatcher->stop());
  EXPECT_EQ(overlaps, 0);
  EXPECT_EQ(prepared, 51) << "in each thread that it came to";
  EXPECT_EQ(threads.size(), 3u);
  for (const int priority : {10, 11, 12}) {
    const std::string number = std::to_string(priority);
    EXPECT_GT(threads["takt-rate-" + number + " at " + number], 10);
  }
}

TEST(ScheduleChange, AJobThatDoesNotEndPutsItOffForABoundedTime) {
  ScheduledOrbs orbs({{.name = "one", .period = 1ms}, {.name = "two", .priority = 1, .period = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  std::promise<void> inside, go_on;
  Jobs twos;
  dispatcher->add({.operation = "one", .call = [&, first = true](const PeriodicJob&) mutable {
                     if (!std::exchange(first, false)) return;
                     EXPECT_THROW(orbs.scheduler->change({{.name = "one"}}), CORBA::BAD_INV_ORDER)
                         << "it would wait for itself";
                     inside.set_value();
                     go_on.get_future().wait_for(20s);
                   }});
  dispatcher->add({.operation = "two", .call = [&](const PeriodicJob& job) { twos.note(job); }});
  dispatcher->start();
  inside.get_future().wait();
  const Operations next{{.name = "one", .period = 2ms}, {.name = "two", .priority = 1, .period = 2ms}};
  EXPECT_THROW(orbs.scheduler->change(next, 5ms), CORBA::TIMEOUT);
  EXPECT_EQ(orbs.scheduler->changes(), 0u);
  const auto had = twos.wait_for(0).size();
  EXPECT_GE(twos.wait_for(had + 3).size(), had + 3) << "the old schedule goes on";
  go_on.set_value();
  orbs.scheduler->change(next);
  EXPECT_EQ(orbs.scheduler->changes(), 1u);
  EXPECT_TRUE(dispatcher->stop());
}

TEST(ScheduleChange, NoReleaseOfAnOperationThatStaysIsMadeTwice) {
  ScheduledOrbs orbs({{.name = "one", .period = 1ms}, {.name = "two", .period = 1h}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs ones;
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob& job) { ones.note(job); }});
  dispatcher->start();
  for (int i = 0; i < 200; ++i) {
    orbs.scheduler->change({{.name = "one", .period = 1ms}, {.name = "two", .period = i % 2 ? 1h : 2h}});
    if (i % 20 == 0) ones.wait_for(ones.wait_for(0).size() + 1);
  }
  EXPECT_TRUE(dispatcher->stop());
  const auto all = ones.wait_for(0);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_EQ(all[i].release - all[i - 1].release, 1ms * (1 + static_cast<int>(all[i].left_out)));
}

// Holds the thread of the vanishing operation back at its end.
std::promise<void> urgent_has_changed;
std::atomic<bool> was_first{true};

void hold_vanishing_back(takt::ThreadUse, void (*run)(void*), void* work) {
  run(work);
  char name[16] = {};
  ::pthread_getname_np(::pthread_self(), name, sizeof name);
  if (std::string(name) == "takt-rate-5")
    was_first = urgent_has_changed.get_future().wait_for(5s) == std::future_status::ready;
}

TEST(ScheduleChange, TheMostUrgentThreadChangesBeforeThoseWithoutOperationsEnd) {
  takt::set_thread_hook(&hold_vanishing_back);
  ScheduledOrbs orbs(
      {{.name = "slow", .priority = 5, .period = 1h}, {.name = "fast", .priority = 40, .period = 1h}});
  const auto dispatcher = dispatcher_of(orbs.server);
  std::atomic<int> calls{0};
  dispatcher->add({.operation = "slow", .call = [](const PeriodicJob&) {}});
  dispatcher->add({.operation = "fast", .call = [&](const PeriodicJob&) {
                     if (++calls == 2) urgent_has_changed.set_value();
                   }});
  dispatcher->start();
  for (const auto end = std::chrono::steady_clock::now() + 20s;
       calls < 1 && std::chrono::steady_clock::now() < end;)
    std::this_thread::yield();
  orbs.scheduler->change({{.name = "fast", .priority = 40, .period = 2h}});
  takt::set_thread_hook(nullptr);
  EXPECT_TRUE(dispatcher->stop());
  EXPECT_TRUE(was_first);
  EXPECT_EQ(calls, 2);
}

TEST(ScheduleChange, TheDispatcherStopsWhileAnotherThreadWaitsForAJobToEnd) {
  ScheduledOrbs orbs({{.name = "one", .period = 1h}, {.name = "two", .priority = 1, .period = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  std::promise<void> inside, go_on;
  Jobs twos;
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob&) {
                     inside.set_value();
                     go_on.get_future().wait_for(20s);
                   }});
  dispatcher->add({.operation = "two", .call = [&](const PeriodicJob& job) { twos.note(job); }});
  dispatcher->start();
  inside.get_future().wait();
  auto changing = std::async(std::launch::async, [&] {
    orbs.scheduler->change({{.name = "one", .period = 2h}, {.name = "two", .priority = 1, .period = 2ms}},
                           3s);
  });
  for (std::size_t had = 0; had != twos.wait_for(0).size();) {  // until the change holds it back
    had = twos.wait_for(0).size();
    std::this_thread::sleep_for(50ms);
  }
  EXPECT_FALSE(dispatcher->stop(1ms)) << "the job still runs";
  EXPECT_EQ(changing.wait_for(0s), std::future_status::timeout) << "stop() waited for the change";
  go_on.set_value();
  EXPECT_NO_THROW(changing.get());
  EXPECT_EQ(orbs.scheduler->changes(), 1u);
}

}  // namespace change_test
}  // namespace flight
