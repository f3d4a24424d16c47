// Threads that serve ORBs with different priority mappings.
#include "rt/thread_priorities.h"

#include <gtest/gtest.h>

#include <thread>

#include "threads/thread.h"

namespace takt::rt {
namespace {

ThreadPriorities with_mapping(PriorityMapping mapping) {
  return {os::SchedulingClass::fifo,
          {.name = "of the test",
           .mapping = make_priority_mapping(mapping, os::native_priorities(os::SchedulingClass::fifo))},
          [](const std::string&) {}};
}

TEST(HandlerPriorities, AreMappedByTheOrbOfTheCallWhateverTheThreadRanBefore) {
  if (!os::may_use({os::SchedulingClass::fifo, 40})) GTEST_SKIP() << "needs CAP_SYS_NICE";
  std::thread([] {
    auto linear = with_mapping(PriorityMapping::linear), direct = with_mapping(PriorityMapping::direct);
    EXPECT_TRUE(linear.run_handler_at(40));
    EXPECT_EQ(os::scheduling(), (os::Scheduling{os::SchedulingClass::fifo, 1}));
    EXPECT_TRUE(direct.run_handler_at(40));
    EXPECT_EQ(os::scheduling(), (os::Scheduling{os::SchedulingClass::fifo, 40}));
  }).join();
}

}  // namespace
}  // namespace takt::rt
