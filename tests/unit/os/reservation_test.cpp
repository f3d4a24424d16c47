// Processor time that is set aside for threads.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <latch>
#include <thread>
#include <vector>

#include "os/threads/reservation.h"
#include "os/threads/scheduling.h"
#include "os/threads/thread.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

constexpr Reservation small{.runtime = 100us, .deadline = 50ms, .period = 100ms};

// All programs share what there is to reserve, so that others may be in the way for a moment.
template <class Reserve>
int when_there_is_room(Reserve reserve) {
  int error = EBUSY;
  for (int i = 0; i < 1000 && error == EBUSY; ++i) {
    error = reserve();
    if (error == EBUSY) std::this_thread::sleep_for(5ms);
  }
  return error;
}

// Whether so many threads can have it at once: what the first of them that is refused it is told, or 0.
int try_reservations(const Reservation& reservation, unsigned threads) {
  std::atomic<int> refused{0};
  std::latch tried(threads);
  std::vector<std::jthread> trying;
  for (unsigned i = 0; i < threads; ++i)
    trying.emplace_back([&] {
      int none = 0;
      if (const int error = reserve(current_thread_number(), reservation))
        refused.compare_exchange_strong(none, error);
      tried.arrive_and_wait();  // all of them hold theirs together
    });
  trying.clear();
  return refused;
}

// Where the system reserves nothing, there is nothing to test.
#define REQUIRE_RESERVATIONS() \
  if (try_reservations(small, 1) == EPERM) GTEST_SKIP() << "the system reserves nothing for this process"

template <class Body>
void in_a_thread(Body body) {
  std::thread(body).join();
}

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
