// Operations that the ORB calls periodically.
#include <sched.h>

#include <atomic>
#include <future>

#include "periodic.h"

namespace flight {
namespace periodic_test {

using takt::os::TimePoint;
using takt::rt::LateReleases;
using takt::rt::PeriodicJob;

TEST(SchedulePeriodic, JobsAreReleasedAtPhaseAndPeriodsFromTheFirstOn) {
  ScheduledOrbs orbs({{.name = "one", .period = 5ms}, {.name = "two", .period = 10ms, .phase = 3ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs one, two;
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob& job) { one.note(job); }});
  dispatcher->add({.operation = "two", .call = [&](const PeriodicJob& job) { two.note(job); }});
  const TimePoint soon = takt::os::Clock::now() + 20ms, first = dispatcher->start({.first = soon});
  EXPECT_GE(first, soon) << "later, where the threads took longer to start";
  const auto ones = one.wait_for(20), twos = two.wait_for(10);
  EXPECT_TRUE(dispatcher->stop());
  const auto expect_on_time = [](const std::vector<PeriodicJob>& jobs, TimePoint release, auto period) {
    for (const PeriodicJob& job : jobs) {
      release += period * static_cast<int>(job.left_out);
      EXPECT_EQ(job.release, release);
      release += period;
    }
  };
  ASSERT_GE(ones.size(), 20u);
  ASSERT_GE(twos.size(), 10u);
  expect_on_time(ones, first, 5ms);
  expect_on_time(twos, first + 3ms, 10ms);
  const auto counted = orbs.of("one");
  EXPECT_EQ(counted.begun, one.wait_for(0).size());
  EXPECT_GT(counted.latest_begin, 0ns);
}

TEST(SchedulePeriodic, AServantOfTheProcessIsCalledInTheThreadOfItsPriority) {
  REQUIRE_REAL_TIME();
  ScheduledOrbs orbs({{.name = "look", .priority = 30, .period = 5ms},
                      {.name = "trim", .priority = 20, .period = 5ms},
                      {.name = "one", .period = 5ms}});
  const auto servant = CORBA::make_reference<WingServant>(orbs.server);
  const auto wing =
      IDL::traits<Flight::Wing>::narrow(orbs.root->id_to_reference(orbs.root->activate_object(servant)));
  const auto dispatcher = dispatcher_of(orbs.server);
  std::promise<Flight::Seen> look, trim, one;
  const auto once = [](std::promise<Flight::Seen>& promise, auto call) {
    return [&promise, call, done = std::make_shared<bool>()](const PeriodicJob&) {
      if (!std::exchange(*done, true)) promise.set_value(call());
    };
  };
  dispatcher->add({.operation = "look", .call = once(look, [=] { return wing->look(); })});
  dispatcher->add({.operation = "trim", .call = once(trim, [=] { return wing->trim(); })});
  dispatcher->add({.operation = "one", .call = once(one, [=] { return wing->look(); })});
  dispatcher->start();
  const auto seen = [](std::promise<Flight::Seen>& promise) { return promise.get_future().get(); };
  const auto at30 = seen(look), at20 = seen(trim), ordinary = seen(one);
  EXPECT_EQ(at30.native_priority(), 30);
  EXPECT_EQ(at30.corba_priority(), 30);
  EXPECT_EQ(at30.thread(), "takt-rate-30");
  EXPECT_EQ(at20.native_priority(), 20);
  EXPECT_EQ(at20.thread(), "takt-rate-20");
  EXPECT_EQ(ordinary.native_priority(), 0);
  EXPECT_EQ(ordinary.thread(), "takt-rate");
  EXPECT_TRUE(dispatcher->stop());
}

TEST(SchedulePeriodic, AnUrgentGroupIsReleasedWhileALessUrgentOneHasTheOnlyProcessor) {
  REQUIRE_REAL_TIME();
  cpu_set_t before, first;
  ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
  CPU_ZERO(&first);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&first) == 0; ++i)
    if (CPU_ISSET(i, &before)) CPU_SET(i, &first);
  ScheduledOrbs orbs({{.name = "one", .priority = 20, .period = 5ms},
                      {.name = "two", .priority = 10, .period = 20ms, .execution = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  std::atomic<int> ones{0};
  std::promise<int> meanwhile;
  const auto pin = [&] { ::sched_setaffinity(0, sizeof first, &first); };
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob&) { ++ones; }, .prepare = pin});
  dispatcher->add({.operation = "two",
                   .call =
                       [&, done = false](const PeriodicJob&) mutable {
                         if (std::exchange(done, true)) return;
                         const auto end = std::chrono::steady_clock::now() + 20s;
                         const int had = ones;
                         while (ones < had + 10 && std::chrono::steady_clock::now() < end) {
                         }
                         meanwhile.set_value(ones - had);
                       },
                   .prepare = pin});
  dispatcher->start();
  EXPECT_GE(meanwhile.get_future().get(), 10);
  EXPECT_TRUE(dispatcher->stop());
  EXPECT_EQ(orbs.of("two").overruns, 1u);
}

TEST(SchedulePeriodic, MissesOverrunsLeftOutReleasesAndExceptionsAreCountedAndTold) {
  Reports reports;
  ScheduledOrbs orbs({{.name = "one", .period = 10ms, .deadline = 10ms, .execution = 5ms}}, {},
                     reports.options());
  const auto dispatcher = dispatcher_of(orbs.server);
  std::atomic<bool> second{false};
  dispatcher->add({.operation = "one", .call = [&, done = 0](const PeriodicJob& job) mutable {
                     if (done++ == 1) second = job.left_out >= 2;
                     if (done != 1) return;
                     const auto end = processor_time() + 35ms;
                     while (processor_time() < end) {
                     }
                     throw 42;
                   }});
  dispatcher->start();
  using Kind = ScheduleReport::Kind;
  // On a busy machine the first release may be skipped too.
  std::vector<ScheduleReport> told;
  const auto found = [&] {
    const auto failed = std::ranges::find(told, Kind::failed, &ScheduleReport::kind);
    return failed != told.end() && told.end() - failed >= 4 ? failed : told.end();
  };
  for (std::size_t count = 4; found() == told.end() && count < 40; ++count) told = reports.wait_for(count);
  EXPECT_TRUE(dispatcher->stop());
  const auto failed = found();
  ASSERT_NE(failed, told.end());
  EXPECT_EQ(failed[1].kind, Kind::overrun);
  EXPECT_EQ(failed[1].allowed, 5ms);
  EXPECT_EQ(failed[2].kind, Kind::deadline_missed);
  EXPECT_GE(failed[2].took, 35ms);
  EXPECT_EQ(failed[3].kind, Kind::releases_left_out);
  EXPECT_GE(failed[3].took, 25ms) << "since the release of 10 ms";
  EXPECT_EQ(failed[3].allowed, 10ms);
  EXPECT_TRUE(second);
  const auto counted = orbs.of("one");
  EXPECT_EQ(counted.failures, 1u);
  EXPECT_EQ(counted.overruns, 1u);
  EXPECT_GE(counted.deadlines_missed, 1u);
  EXPECT_GE(counted.releases_left_out, 2u);
}

TEST(SchedulePeriodic, WhatIsBehindIsCaughtUp) {
  ScheduledOrbs orbs({{.name = "one", .period = 10ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs jobs;
  dispatcher->add({.operation = "one",
                   .call =
                       [&, first = true](const PeriodicJob& job) mutable {
                         if (std::exchange(first, false)) std::this_thread::sleep_for(45ms);
                         jobs.note(job);
                       },
                   .late = LateReleases::catch_up,
                   .most_behind = 100'000});
  dispatcher->start();
  const auto seen = jobs.wait_for(6);
  EXPECT_TRUE(dispatcher->stop());
  ASSERT_GE(seen.size(), 6u);
  for (std::size_t i = 1; i < seen.size(); ++i) EXPECT_EQ(seen[i].release, seen[i - 1].release + 10ms);
  EXPECT_EQ(orbs.of("one").releases_left_out, 0u);
}

TEST(SchedulePeriodic, WhoRestsAfterAnOverrunIsNotCalled) {
  // 20 ms with a budget of 0.2 per 10 ms: a second of suspension.
  ScheduledOrbs orbs({{.name = "one", .period = 10ms, .execution = 200us, .on_overrun = OnOverrun::refuse}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs jobs;
  std::atomic<TimePoint> last{};
  dispatcher->add({.operation = "one", .call = [&, first = true](const PeriodicJob& job) mutable {
                     last = takt::os::Clock::now();
                     const auto end = processor_time() + (std::exchange(first, false) ? 20ms : 0ms);
                     while (processor_time() < end) {
                     }
                     jobs.note(job);
                   }});
  dispatcher->start();
  const auto seen = jobs.wait_for(2);
  EXPECT_TRUE(dispatcher->stop());
  ASSERT_GE(seen.size(), 2u);
  EXPECT_GE(last.load() - seen[0].release, 1s);
  EXPECT_GT(orbs.of("one").refusals, 0u);
}

TEST(SchedulePeriodic, NoJobBeginsOnceItIsStoppedAndOneThatDoesNotEndHoldsNobodyUp) {
  ScheduledOrbs orbs({{.name = "one", .period = 1ms}, {.name = "two", .priority = 5, .period = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  // Outlives this function, because the stuck call uses it.
  struct State {
    std::atomic<int> ones{0};
    std::promise<void> inside, go_on, gone;
  };
  const auto state = std::make_shared<State>();
  dispatcher->add({.operation = "one", .call = [state](const PeriodicJob&) { ++state->ones; }});
  dispatcher->add({.operation = "two", .call = [state, first = true](const PeriodicJob&) mutable {
                     if (!std::exchange(first, false)) return;
                     state->inside.set_value();
                     state->go_on.get_future().wait_for(20s);
                     state->gone.set_value();
                   }});
  dispatcher->start();
  state->inside.get_future().wait();
  EXPECT_FALSE(dispatcher->stop(1ms));
  const int ended = state->ones;
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(state->ones, ended);
  state->go_on.set_value();
  EXPECT_EQ(state->gone.get_future().wait_for(10s), std::future_status::ready);
}

TEST(SchedulePeriodic, AJobMayStopItsDispatcherAndShutDownItsOrb) {
  for (const bool whole : {false, true}) {
    ScheduledOrbs orbs({{.name = "one", .period = 1ms}, {.name = "two", .period = 1ms}});
    const auto dispatcher = dispatcher_of(orbs.server);
    std::promise<bool> stopped;
    dispatcher->add({.operation = "one", .call = [&](const PeriodicJob&) {
                       if (whole) orbs.server->shutdown(false);
                       stopped.set_value(whole || dispatcher->stop());
                     }});
    dispatcher->start();
    EXPECT_TRUE(stopped.get_future().get());
    EXPECT_TRUE(dispatcher->stop());
    orbs.server->shutdown(true);
    EXPECT_EQ(orbs.of("one").begun, 1u);
  }
}

TEST(SchedulePeriodic, TheOrbsEndIsItsEnd) {
  ScheduledOrbs orbs({{.name = "one", .period = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Jobs jobs;
  dispatcher->add({.operation = "one", .call = [&](const PeriodicJob& job) { jobs.note(job); }});
  dispatcher->start();
  jobs.wait_for(3);
  orbs.server->shutdown(true);
  const auto ended = jobs.wait_for(0).size();
  std::this_thread::sleep_for(10ms);
  EXPECT_EQ(jobs.wait_for(0).size(), ended);
  EXPECT_THROW(dispatcher->start(), CORBA::BAD_INV_ORDER);
}

TEST(SchedulePeriodic, RefusesWhatCannotBeCalled) {
  const auto nothing = [](const PeriodicJob&) {};
  {
    ScheduledOrbs none({});
    EXPECT_THROW(dispatcher_of(none.server)->add({.operation = "one", .call = nothing}),
                 CORBA::BAD_INV_ORDER);
  }
  ScheduledOrbs orbs({{.name = "one", .period = 5ms}, {.name = "two"}, {.name = "three", .period = 5ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  EXPECT_THROW(dispatcher->start(), CORBA::BAD_INV_ORDER) << "there is nothing to call";
  EXPECT_THROW(dispatcher->add({.operation = "four", .call = nothing}), CORBA::BAD_PARAM);
  EXPECT_THROW(dispatcher->add({.operation = "two", .call = nothing}), CORBA::BAD_PARAM);
  EXPECT_THROW(dispatcher->add({.operation = "one"}), CORBA::BAD_PARAM);
  std::atomic<bool> ready{false};
  dispatcher->add({.operation = "one", .call = nothing, .prepare = [&] {
                     if (!ready) throw CORBA::TRANSIENT(7, CORBA::COMPLETED_NO);
                   }});
  EXPECT_THROW(dispatcher->add({.operation = "one", .call = nothing}), CORBA::BAD_PARAM);
  EXPECT_THROW(dispatcher->start(), CORBA::TRANSIENT) << "what `prepare` has thrown";
  ready = true;
  dispatcher->start();
  EXPECT_THROW(dispatcher->start(), CORBA::BAD_INV_ORDER);
  EXPECT_THROW(dispatcher->add({.operation = "three", .call = nothing}), CORBA::BAD_INV_ORDER);
}

}  // namespace periodic_test
}  // namespace flight
