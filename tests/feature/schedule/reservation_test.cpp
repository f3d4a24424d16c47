// Processor time that the kernel reserves for periodic calls.
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <future>

#include "periodic.h"

namespace flight {
namespace reservation_test {

using takt::rt::PeriodicJob;

// The kernel's struct sched_attr.
struct Attributes {
  std::uint32_t size = sizeof(Attributes), policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;
};
constexpr std::uint32_t deadline_policy = 6;  // SCHED_DEADLINE

Attributes mine() {
  Attributes attributes;
  ::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0);
  return attributes;
}

class ScheduleReservation : public testing::Test {
 protected:
  void SetUp() override {
    int error = 0;
    std::thread([&] {
      Attributes wanted;
      wanted.policy = deadline_policy;
      wanted.runtime = 10'000;
      wanted.deadline = wanted.period = 100'000'000;
      if (::syscall(SYS_sched_setattr, 0, &wanted, 0) != 0) error = errno;
    }).join();
    if (error != 0) GTEST_SKIP() << "the kernel gives this process no reservations: " << std::strerror(error);
  }
};

// The scheduling attributes of the thread in its last job.
class Seen {
 public:
  takt::rt::PeriodicCall call(const std::string& operation) {
    return {.operation = operation, .call = [this](const PeriodicJob&) {
              std::lock_guard lock(mutex_);
              last_ = mine();
              ++jobs_;
              changed_.notify_all();
            }};
  }
  // The attributes after a further job.
  Attributes next() {
    std::unique_lock lock(mutex_);
    const auto had = jobs_;
    changed_.wait_for(lock, 20s, [&] { return jobs_ > had + 1; });
    return last_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  Attributes last_;
  std::uint64_t jobs_ = 0;
};

TEST_F(ScheduleReservation, AThreadHasTheTimeOfItsOperationsAndAMargin) {
  ScheduledOrbs orbs({{.name = "one", .priority = 10, .period = 20ms, .deadline = 10ms, .execution = 1ms},
                      {.name = "two", .priority = 10, .period = 40ms, .execution = 2ms},
                      {.name = "three", .priority = 20, .period = 30ms, .execution = 1ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  Seen one, three;
  dispatcher->add(one.call("one"));
  dispatcher->add({.operation = "two", .call = [](const PeriodicJob&) {}});
  dispatcher->add(three.call("three"));
  dispatcher->start({.reserve = true, .reserve_more_percent = 20});
  const auto shared = one.next(), own = three.next();
  EXPECT_EQ(shared.policy, deadline_policy);
  EXPECT_EQ(shared.runtime, 3'600'000u);
  EXPECT_EQ(shared.deadline, 10'000'000u);
  EXPECT_EQ(shared.period, 20'000'000u);
  EXPECT_EQ(own.policy, deadline_policy);
  EXPECT_EQ(own.runtime, 1'200'000u);
  EXPECT_EQ(own.deadline, 30'000'000u);
  EXPECT_TRUE(dispatcher->stop());
}

// More than any machine has.
std::vector<ScheduledOperation> too_much(std::chrono::nanoseconds execution) {
  std::vector<ScheduledOperation> operations;
  for (unsigned i = 0; i <= std::thread::hardware_concurrency(); ++i)
    operations.push_back({.name = "op" + std::to_string(i),
                          .priority = static_cast<std::int16_t>(10 + i),
                          .period = 20ms,
                          .execution = execution});
  return operations;
}

TEST_F(ScheduleReservation, WhatTheKernelHasNoTimeForIsRefusedAndNothingRuns) {
  ScheduledOrbs orbs(too_much(18ms));
  const auto dispatcher = dispatcher_of(orbs.server);
  Seen seen;
  for (const auto& each : too_much(18ms)) dispatcher->add(seen.call(each.name));
  try {
    dispatcher->start({.reserve = true});
    FAIL() << "there is no such time";
  } catch (const CORBA::NO_RESOURCES& refused) {
    EXPECT_NE(std::string(refused.what()).find("in each 20000 us"), std::string::npos) << refused.what();
  }
  EXPECT_EQ(orbs.of("op0").begun, 0u);
  dispatcher->start();  // without a reservation
  EXPECT_NE(seen.next().policy, deadline_policy);
  EXPECT_TRUE(dispatcher->stop());
}

TEST_F(ScheduleReservation, WithoutExecutionTimesThereIsNothingToReserve) {
  ScheduledOrbs orbs({{.name = "one", .period = 20ms}});
  const auto dispatcher = dispatcher_of(orbs.server);
  dispatcher->add({.operation = "one", .call = [](const PeriodicJob&) {}});
  EXPECT_THROW(dispatcher->start({.reserve = true}), CORBA::BAD_PARAM);
}

TEST_F(ScheduleReservation, AnotherScheduleHasOtherReservationsOrIsRefused) {
  ScheduledOrbs orbs(too_much(1ms));
  const auto dispatcher = dispatcher_of(orbs.server);
  Seen seen;
  for (const auto& each : too_much(1ms))
    dispatcher->add(each.name == "op0"
                        ? seen.call(each.name)
                        : takt::rt::PeriodicCall{.operation = each.name, .call = [](const PeriodicJob&) {}});
  dispatcher->start({.reserve = true, .reserve_more_percent = 0});
  EXPECT_EQ(seen.next().runtime, 1'000'000u);
  orbs.scheduler->change(too_much(2ms));
  EXPECT_EQ(seen.next().runtime, 2'000'000u);
  EXPECT_THROW(orbs.scheduler->change(too_much(18ms)), CORBA::NO_RESOURCES);
  EXPECT_EQ(seen.next().runtime, 2'000'000u) << "the old schedule goes on";
  EXPECT_EQ(orbs.scheduler->changes(), 1u);
  orbs.scheduler->change({{.name = "op0", .priority = 40, .period = 10ms, .execution = 500us}});
  const auto moved = seen.next();
  EXPECT_EQ(moved.policy, deadline_policy);
  EXPECT_EQ(moved.runtime, 500'000u);
  EXPECT_TRUE(dispatcher->stop());
}

// A job that calls a collocated servant at another priority returns to its reservation.
TEST_F(ScheduleReservation, AServantsPriorityDoesNotTakeItAway) {
  ScheduledOrbs orbs({{.name = "one", .priority = 10, .period = 10ms, .execution = 1ms}});
  const auto rt = IDL::traits<RTCORBA::RTORB>::narrow(orbs.server->resolve_initial_references("RTORB"));
  const auto poa =
      orbs.root->create_POA("high", orbs.root->the_POAManager(),
                            {rt->create_priority_model_policy(RTCORBA::PriorityModel::SERVER_DECLARED, 30)});
  const auto unit = IDL::traits<Flight::Unit>::narrow(
      poa->id_to_reference(poa->activate_object(CORBA::make_reference<UnitServant>(orbs.server))));
  const auto dispatcher = dispatcher_of(orbs.server);
  std::promise<Attributes> after;
  dispatcher->add({.operation = "one", .call = [&, first = true](const PeriodicJob&) mutable {
                     unit->look();
                     if (std::exchange(first, false)) after.set_value(mine());
                   }});
  dispatcher->start({.reserve = true});
  EXPECT_EQ(after.get_future().get().policy, deadline_policy);
  EXPECT_TRUE(dispatcher->stop());
}

}  // namespace reservation_test
}  // namespace flight
