// The priority of threads that keep times for all others.
#include "threads/watching_thread.h"

#include <gtest/gtest.h>

#include <future>

#include "named_thread.h"
#include "threads/scheduling/scheduling.h"

namespace takt::os {
namespace {

// One that waits for the end of the test.
struct Waiting {
  explicit Waiting(const char* its_name) : name(its_name) {
    static WatchingThread all[3];
    EXPECT_TRUE(all[made].start({.name = its_name}, [this] {
      over.get_future().wait();
      ended.set_value();
    }));
    thread = &all[made++];
  }
  ~Waiting() {
    thread->ended();
    over.set_value();
    ended.get_future().wait();
  }
  int priority() const { return priority_of_thread_named(name); }

  static inline int made = 0;
  const char* name;
  WatchingThread* thread;
  std::promise<void> over, ended;
};

TEST(WatchingThread, RunsAtTheHighestPriorityThatWasAskedFor) {
  if (!may_use({SchedulingClass::fifo, 40})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  const Waiting first("first"), over("over");
  over.thread->ended();
  EXPECT_EQ(first.priority(), 0);
  EXPECT_EQ(WatchingThread::run_at_least(30), 0);
  EXPECT_EQ(WatchingThread::run_at_least(20), 0);
  EXPECT_EQ(first.priority(), 30);
  EXPECT_EQ(over.priority(), 0);
  const Waiting late("late");
  EXPECT_EQ(late.priority(), 30);
  EXPECT_EQ(WatchingThread::run_at_least(40), 0);
  EXPECT_EQ(first.priority(), 40);
  EXPECT_EQ(late.priority(), 40);
}

}  // namespace
}  // namespace takt::os
