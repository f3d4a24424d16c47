// A thread's reservation combined with other changes of its scheduling.
#include "threads/scheduling/held_reservation.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>

#include "reserving.h"
#include "threads/scheduling/priority_loan.h"
#include "threads/scheduling/running_thread.h"
#include "threads/scheduling/scheduling.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr Scheduling fifo_5{SchedulingClass::fifo, 5}, fifo_7{SchedulingClass::fifo, 7};

std::shared_ptr<HeldReservation> reserved() {
  auto held = HeldReservation::begin();
  EXPECT_TRUE(held);
  EXPECT_EQ(when_there_is_room([&] { return held->reserve(small); }), 0);
  return held;
}

// The kernel's attributes, not the C library's cached ones; includes SCHED_RESET_ON_FORK if set.
struct Native {
  int policy = ::sched_getscheduler(0);
  int priority = [] {
    sched_param parameters{};
    ::sched_getparam(0, &parameters);
    return parameters.sched_priority;
  }();
  friend bool operator==(const Native&, const Native&) = default;
};
constexpr Native fifo(int priority) { return {SCHED_FIFO, priority}; }

TEST(HeldReservation, IsKeptWhenThePriorityChangesWhichHoldsAfterwards) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto held = reserved();
    EXPECT_EQ(set_scheduling(fifo_5), 0);
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    EXPECT_EQ(reservation(), small);
    EXPECT_TRUE(HeldReservation::is_held());
    held->end();
    EXPECT_FALSE(HeldReservation::is_held());
    EXPECT_EQ(Native(), fifo(7));
    EXPECT_EQ(scheduling(), fifo_7);
    EXPECT_EQ(set_scheduling(fifo_5), 0);
    EXPECT_EQ(Native(), fifo(5)) << "changes are made again";
  });
}

TEST(HeldReservation, LeavesTheThreadAsItWas) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const Native ordinary;
    reserved()->end();
    EXPECT_EQ(Native(), ordinary);
    EXPECT_EQ(set_scheduling(fifo_5), 0);
    reserved()->end();
    EXPECT_EQ(Native(), fifo(5)) << "without SCHED_RESET_ON_FORK";
  });
}

TEST(HeldReservation, ThatIsRefusedLeavesTheThreadAsItWas) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto held = HeldReservation::begin();
    EXPECT_EQ(held->reserve({.runtime = 2ms, .deadline = 1ms, .period = 1ms}), EINVAL);
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    held->end();
    EXPECT_EQ(Native(), fifo(7));
  });
}

TEST(HeldReservation, IsOneAtATime) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto first = reserved();
    EXPECT_FALSE(HeldReservation::begin());
    first->end();
    first->end();
    EXPECT_EQ(first->reserve(small), ESRCH);
    const auto second = reserved();
    first->end();
    EXPECT_EQ(reservation(), small) << "the second one's";
    second->end();
  });
  in_a_thread([] {
    EXPECT_EQ(when_there_is_room([] { return reserve(current_thread_number(), small); }), 0);
    EXPECT_FALSE(HeldReservation::begin()) << "reserved by other means";
  });
}

TEST(HeldReservation, MayBeGivenAndEndedByAnotherThread) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto held = HeldReservation::begin();
    in_a_thread([&] { EXPECT_EQ(when_there_is_room([&] { return held->reserve(small); }), 0); });
    EXPECT_EQ(reservation(), small);
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    in_a_thread([&] { held->end(); });
    EXPECT_EQ(Native(), fifo(7));
    EXPECT_EQ(set_scheduling(fifo_5), 0);
    EXPECT_EQ(Native(), fifo(5));
  });
}

// Linux 6.18 would keep the reserved time if only the class of a sleeping thread were changed.
TEST(HeldReservation, OfASleepingThreadIsFreeAfterwards) {
  REQUIRE_RESERVATIONS();
  constexpr Reservation most{.runtime = 90ms, .deadline = 100ms, .period = 100ms};
  for (unsigned i = 0; i < 2 * usable_processors() + 1; ++i) {
    std::promise<std::shared_ptr<HeldReservation>> begun;
    std::promise<void> over;
    std::thread sleeper([&] {
      const auto held = HeldReservation::begin();
      EXPECT_EQ(when_there_is_room([&] { return held->reserve(most); }), 0);
      begun.set_value(held);
      over.get_future().wait();
    });
    const auto held = begun.get_future().get();
    std::this_thread::sleep_for(150ms);  // past its period
    held->end();
    over.set_value();
    sleeper.join();
  }
}

TEST(HeldReservation, EndsWithItsThread) {
  REQUIRE_RESERVATIONS();
  std::shared_ptr<HeldReservation> held;
  in_a_thread([&] { held = reserved(); });
  EXPECT_TRUE(held->over());
  EXPECT_EQ(held->reserve(small), ESRCH);
  held->end();
}

TEST(HeldReservation, IsNotThatOfAForkedProcess) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    const auto held = reserved();
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      bool as_it_should = !reservation() && !HeldReservation::is_held() && Native() == fifo(7);
      held->end();
      as_it_should &= set_scheduling(fifo_5) == 0 && Native() == fifo(5);
      const auto own = HeldReservation::begin();
      as_it_should &= own && when_there_is_room([&] { return own->reserve(small); }) == 0;
      ::_exit(as_it_should ? 0 : 1);
    }
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(reservation(), small) << "what the child ends is not its parent's";
    held->end();
  });
}

TEST(HeldReservation, MakesTheThreadTheMostUrgentAndIsNotDemoted) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    const auto held = reserved();
    EXPECT_EQ(remembered_urgency(), own_urgency());
    EXPECT_GT(remembered_urgency(), 99);
    EXPECT_FALSE(RunningThread::mine().demote());
    PriorityLoan loan;
    loan.begin();
    loan.raise(50);
    loan.end();
    yield_processor();
    EXPECT_EQ(reservation(), small);
    held->end();
    EXPECT_EQ(RunningThread::mine().demote(), fifo_7);
  });
}

TEST(HeldReservation, WhatIsLentMeanwhileHoldsWhenItEnds) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    const auto held = reserved();
    PriorityLoan loan;
    loan.begin();
    loan.raise(50);
    EXPECT_EQ(reservation(), small);
    held->end();
    EXPECT_EQ(own_urgency(), 50);
    loan.end();
    EXPECT_EQ(own_urgency(), fifo_7.priority);
  });
}

TEST(HeldReservation, OneThatBeginsDuringALoanRestoresTheThreadsOwnPriority) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    EXPECT_EQ(set_scheduling(fifo_7), 0);
    PriorityLoan loan;
    loan.begin();
    loan.raise(50);
    const auto held = reserved();
    loan.end();
    EXPECT_EQ(reservation(), small);
    held->end();
    EXPECT_EQ(own_urgency(), fifo_7.priority);
  });
}

}  // namespace
}  // namespace takt::os
