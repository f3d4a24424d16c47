// Processor time that is set aside for threads.
#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "os/threads/reservation.h"
#include "os/threads/scheduling.h"
#include "os/threads/thread.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr Reservation small{.budget = 100us, .period = 100ms, .deadline = 50ms};

// Where the system reserves nothing, there is nothing to test.
#define REQUIRE_RESERVATIONS() \
  if (const int error = try_reservations(small, 1)) GTEST_SKIP() << "errno " << error

template <class Body>
void in_a_thread(Body body) {
  std::thread(body).join();
}

TEST(Reservation, IsTheThreads) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    EXPECT_FALSE(reservation());
    ASSERT_EQ(reserve(small), 0);
    EXPECT_EQ(reservation(), small);
    EXPECT_EQ(set_scheduling({}), 0);
    EXPECT_FALSE(reservation()) << "ordinary again";
  });
  EXPECT_FALSE(reservation());
}

TEST(Reservation, IsNotThatOfThreadsWhichItStarts) {
  REQUIRE_RESERVATIONS();
  in_a_thread([] {
    ASSERT_EQ(reserve(small), 0);
    in_a_thread([] { EXPECT_FALSE(reservation()); });
  });
}

TEST(Reservation, ThatDoesNotFitIsRefusedAndTakesNothing) {
  REQUIRE_RESERVATIONS();
  const unsigned more_than_there_are = usable_processors() + 1;
  EXPECT_EQ(try_reservations({.budget = 90ms, .period = 100ms, .deadline = 100ms}, more_than_there_are),
            EBUSY);
  EXPECT_EQ(try_reservations(small, 3), 0);
}

TEST(Reservation, OfTimesThatWillNotDoIsRefused) {
  REQUIRE_RESERVATIONS();
  EXPECT_EQ(try_reservations({.budget = 2ms, .period = 1ms, .deadline = 1ms}, 1), EINVAL);
  EXPECT_EQ(try_reservations({.budget = 2ms, .period = 10ms, .deadline = 1ms}, 1), EINVAL);
  EXPECT_EQ(try_reservations({.budget = 10ns, .period = 10ms, .deadline = 10ms}, 1), EINVAL);
}

}  // namespace
}  // namespace takt::os
