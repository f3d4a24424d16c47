// The priorities at which the threads of levels call consumers.
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include <takt/rt/rtcorba.h>

#include "channel_fixture.h"

namespace takt::rt_events {
namespace {

// The priority of SCHED_FIFO of the calling thread; 0: it has another class.
int fifo_priority() {
  sched_param parameters{};
  int policy = SCHED_OTHER;
  pthread_getschedparam(pthread_self(), &policy, &parameters);
  return policy == SCHED_FIFO ? parameters.sched_priority : 0;
}

class Priorities : public Channel {
 protected:
  static constexpr std::size_t urgent = 0, low = 1;

  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs the permission to use real-time priorities";
    current_ = IDL::traits<RTCORBA::Current>::narrow(orb_->resolve_initial_references("RTCurrent"));
    start({.levels = {{"urgent", 20'000}, {"low", -1}}, .slow_after = 2ms});
  }
  // Runs a function in a consumer of that level, and returns the priority that the consumer had.
  int in_consumer(std::size_t level, const std::function<void()>& run = [] {}) {
    std::atomic<int> found{-1};
    const auto connection = connect(std::make_shared<Caller>([&](const EventList&) {
                                      const int had = fifo_priority();
                                      run();
                                      found = had;
                                    }),
                                    {.filter = filters::event(20), .level = level});
    channel_->push(rt_events::event(20, 1));
    EXPECT_TRUE(eventually([&] { return found >= 0; }));
    connection->disconnect();
    return found;
  }
  std::function<void()> sets(RTCORBA::Priority priority) {
    return [this, priority] { current_->the_priority(priority); };
  }

  CORBA::object_reference<RTCORBA::Current> current_;
};

// The thread that replaces the one of a slow call is begun by the supervisor, which is as urgent as the most
// urgent level.
TEST_F(Priorities, ALevelWithoutPriorityHasNoneAfterASlowCall) {
  EXPECT_EQ(in_consumer(low), 0);
  in_consumer(low, [&] { EXPECT_TRUE(eventually([&] { return channel_->counts().threads_replaced > 0; })); });
  EXPECT_EQ(in_consumer(low), 0);
}

TEST_F(Priorities, ALevelWithoutPriorityHasNoneIfARealTimeThreadStartsTheChannel) {
  channel_->stop();
  std::thread([&] {
    const sched_param parameters{.sched_priority = 5};
    ASSERT_EQ(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters), 0);
    start({.levels = {{"urgent", 20'000}, {"low", -1}}});
  }).join();
  EXPECT_EQ(in_consumer(low), 0);
}

TEST_F(Priorities, ALevelWithoutPriorityKeepsTheClassOfOrdinaryWork) {
  channel_->stop();
  std::thread([&] {
    const sched_param parameters{};
    ASSERT_EQ(pthread_setschedparam(pthread_self(), SCHED_BATCH, &parameters), 0);
    start({.levels = {{"urgent", 20'000}, {"low", -1}}});
  }).join();
  const auto policy_in_consumer = [&] {
    std::atomic<int> policy{-1};
    in_consumer(low, [&] { policy = sched_getscheduler(0); });
    return policy.load();
  };
  EXPECT_EQ(policy_in_consumer(), SCHED_BATCH);
  in_consumer(low, sets(0));  // in a thread that is replaced then
  EXPECT_EQ(policy_in_consumer(), SCHED_BATCH);
}

TEST_F(Priorities, AConsumerThatSetsAnotherLeavesItToNoOther) {
  const int its_own = in_consumer(urgent);
  EXPECT_GT(its_own, 1);
  for (const RTCORBA::Priority priority : {0, 32'767}) {
    in_consumer(urgent, sets(priority));
    EXPECT_EQ(in_consumer(urgent), its_own);
    in_consumer(low, sets(priority));
    EXPECT_EQ(in_consumer(low), 0);
  }
  for (int i = 0; i < 50; ++i) in_consumer(low, sets(0));
  const auto threads = [] {
    return std::ranges::distance(std::filesystem::directory_iterator("/proc/self/task"),
                                 std::filesystem::directory_iterator());
  };
  EXPECT_TRUE(eventually([&] { return threads() < 20; }));
}

}  // namespace
}  // namespace takt::rt_events
