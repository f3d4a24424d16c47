// Processor time reserved for threads.
#include <gtest/gtest.h>

#include "reserving.h"
#include "threads/scheduling/scheduling.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

TEST(Reservation, IsTheThreads) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    EXPECT_FALSE(reservation());
    ASSERT_EQ(when_there_is_room([] { return reserve(current_thread_number(), small); }), 0);
    EXPECT_EQ(reservation(), small);
    EXPECT_EQ(set_scheduling({}), 0);
    EXPECT_FALSE(reservation()) << "ordinary again";
  });
  EXPECT_FALSE(reservation());
}

TEST(Reservation, IsNotThatOfThreadsWhichItStarts) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    ASSERT_EQ(when_there_is_room([] { return reserve(current_thread_number(), small); }), 0);
    in_a_thread([] { EXPECT_FALSE(reservation()); });
  });
}

TEST(Reservation, ThatDoesNotFitIsRefusedAndTakesNothing) {
  REQUIRE_RESERVATIONS();
  const unsigned more_than_there_are = usable_processors() + 1;
  EXPECT_EQ(try_reservations({.runtime = 90ms, .deadline = 100ms, .period = 100ms}, more_than_there_are),
            EBUSY);
  EXPECT_EQ(when_there_is_room([] { return try_reservations(small, 3); }), 0);
}

TEST(Reservation, OfTimesThatWillNotDoIsRefused) {
  REQUIRE_RESERVATIONS();
  EXPECT_EQ(try_reservations({.runtime = 2ms, .deadline = 1ms, .period = 1ms}, 1), EINVAL);
  EXPECT_EQ(try_reservations({.runtime = 2ms, .deadline = 1ms, .period = 10ms}, 1), EINVAL);
  EXPECT_EQ(try_reservations({.runtime = 10ns, .deadline = 10ms, .period = 10ms}, 1), EINVAL);
}

}  // namespace
}  // namespace takt::os
