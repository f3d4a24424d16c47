// For tests in which the system reserves processor time.
#pragma once

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <latch>
#include <thread>
#include <vector>

#include "threads/scheduling/reservation.h"
#include "threads/thread.h"

namespace takt::os {

inline constexpr Reservation small{.runtime = std::chrono::microseconds(100),
                                   .deadline = std::chrono::milliseconds(50),
                                   .period = std::chrono::milliseconds(100)};

// All programs share the processor time that can be reserved, so retries while others use it.
template <class Reserve>
int when_there_is_room(Reserve reserve) {
  int error = EBUSY;
  for (int i = 0; i < 1000 && error == EBUSY; ++i) {
    error = reserve();
    if (error == EBUSY) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return error;
}

// Whether that many threads can have the reservation at once: the error of the first one that is refused, or
// 0.
inline int try_reservations(const Reservation& reservation, unsigned threads) {
  std::atomic<int> refused{0};
  std::latch tried(threads);
  std::vector<std::jthread> trying;
  for (unsigned i = 0; i < threads; ++i)
    trying.emplace_back([&] {
      int none = 0;
      if (const int error = reserve(current_thread_number(), reservation))
        refused.compare_exchange_strong(none, error);
      tried.arrive_and_wait();  // all of them hold theirs at the same time
    });
  trying.clear();
  return refused;
}

// Whether the system reserves time for this process. Waits a period for threads of the previous test to end:
// Linux 6.18 loses count of those that end while a starting program reads the throttling.
inline bool system_reserves() {
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  return try_reservations(small, 1) != EPERM;
}

// Skips the test if the system reserves nothing.
#define REQUIRE_RESERVATIONS()      \
  if (!takt::os::system_reserves()) \
  GTEST_SKIP() << "the system reserves nothing for this process: it takes CAP_SYS_NICE, and all processors"

template <class Body>
void in_a_thread(Body body) {
  std::thread(body).join();
}

}  // namespace takt::os
