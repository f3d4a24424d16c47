// The thread that looks after a service's objects.
#include "events/delivery/sweeper.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <new>
#include <thread>

#include "../../eventually.h"

namespace takt::events {
namespace {

using namespace std::chrono_literals;
using test::eventually;

TEST(Sweeper, LooksAgainAfterItHasFoundNoMemory) {
  std::atomic<int> looks{0};
  Sweeper sweeper(1ms, [&] {
    if (++looks == 1) throw std::bad_alloc();
  });
  EXPECT_TRUE(eventually([&] { return looks > 1; }));
}

TEST(Sweeper, StopsOnceTheCallUnderWayHasEnded) {
  std::atomic<bool> looking{false}, may_end{false}, ended{false};
  Sweeper sweeper(1ms, [&] {
    looking = true;
    while (!may_end) std::this_thread::sleep_for(1ms);
    ended = true;
  });
  EXPECT_TRUE(eventually([&] { return looking.load(); }));
  std::jthread stopping([&] { sweeper.stop(); });
  may_end = true;
  stopping.join();
  EXPECT_TRUE(ended);
  sweeper.stop();
}

TEST(Sweeper, DoesNotWaitForItsPeriodToStop) {
  Sweeper sweeper(24h, [] { ADD_FAILURE() << "after no time"; });
  sweeper.stop();
}

}  // namespace
}  // namespace takt::events
