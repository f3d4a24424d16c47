// Threads that make calls for others.
#include "async/deferred_calls.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace takt::async {
namespace {

TEST(DeferredCalls, RunAtOrdinaryPriorityAlsoIfAnUrgentThreadHasTheirThreadStarted) {
  constexpr os::Scheduling urgent{os::SchedulingClass::fifo, 20};
  if (!os::may_use(urgent)) GTEST_SKIP() << "needs CAP_SYS_NICE";
  std::promise<os::Scheduling> found;
  std::thread([&] {
    ASSERT_EQ(os::set_scheduling(urgent), 0);
    DeferredCalls::of_process().add([&] { found.set_value(os::scheduling()); });
  }).join();
  EXPECT_EQ(found.get_future().get(), os::Scheduling());
}

}  // namespace
}  // namespace takt::async
