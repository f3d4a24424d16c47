// Threads that make calls for others.
#include "async/deferred/deferred_calls.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <thread>
#include <utility>

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

TEST(DeferredCalls, ThatAreUrgentBeginAtTheirPriorityAndLeaveTheirThreadOrdinary) {
  constexpr os::Scheduling urgent{os::SchedulingClass::fifo, 20};
  if (!os::may_use(urgent)) GTEST_SKIP() << "needs CAP_SYS_NICE";
  const auto run = [](os::Urgency urgency) {
    std::promise<std::pair<os::Scheduling, std::thread::id>> found;
    DeferredCalls::of_process().add([&] { found.set_value({os::scheduling(), std::this_thread::get_id()}); },
                                    urgency);
    return found.get_future().get();
  };
  bool same_thread = false;
  for (int i = 0; i < 100 && !same_thread; ++i) {
    const auto before = run(0), then = run(20), after = run(0);
    EXPECT_EQ(before.first, os::Scheduling());
    EXPECT_EQ(then.first, urgent);
    EXPECT_EQ(after.first, os::Scheduling());
    same_thread = before.second == then.second && then.second == after.second;
  }
  EXPECT_TRUE(same_thread) << "the thread that was idle last is called first";
}

// Ordinary calls that fill all threads which are begun for them leave urgent ones a thread.
TEST(DeferredCalls, ThatAreUrgentDoNotWaitForOthers) {
  std::promise<void> ends, ran;
  const std::shared_future<void> end = ends.get_future().share();
  for (std::size_t i = 0; i < DeferredCalls::usual_threads; ++i)
    DeferredCalls::of_programs().add([end] { end.wait(); });
  DeferredCalls::of_programs().add([&] { ran.set_value(); }, 1);
  EXPECT_EQ(ran.get_future().wait_for(std::chrono::seconds(20)), std::future_status::ready);
  ends.set_value();
}

}  // namespace
}  // namespace takt::async
