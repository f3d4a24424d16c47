#include <new>
#include <vector>

#include "allocations.h"
#include "reactors.h"

namespace takt::os {

using namespace std::chrono_literals;

template <class T>
class ReactorTimerTest : public ReactorTest<T> {};
TYPED_TEST_SUITE(ReactorTimerTest, Reactors, ReactorName);

TYPED_TEST(ReactorTimerTest, ATimerEndsAnEndlessWaitAndIsCalledOnceAndNotEarly) {
  const TimePoint when = Clock::now() + 3ms;
  TimePoint called;
  Recorder timer([&] { called = Clock::now(); });
  this->reactor->schedule(when, &timer);
  while (timer.calls == 0) this->reactor->run_once(for_ever);
  EXPECT_GE(called, when);
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  EXPECT_EQ(timer.calls, 1);
}

TYPED_TEST(ReactorTimerTest, TimersAreCalledInOrderOfTimeAndEqualOnesInOrderOfScheduling) {
  std::vector<int> order;
  std::vector<Recorder> timers;
  for (int i = 0; i < 4; ++i) timers.emplace_back([&order, i] { order.push_back(i); });
  const TimePoint now = Clock::now();
  this->reactor->schedule(now - 1ms, &timers[0]);
  this->reactor->schedule(now - 3ms, &timers[1]);
  this->reactor->schedule(now - 1ms, &timers[2]);
  this->reactor->schedule(now - 2ms, &timers[3]);
  EXPECT_EQ(this->reactor->run_once(for_ever), 4u);
  EXPECT_EQ(order, (std::vector{1, 3, 0, 2}));
}

TYPED_TEST(ReactorTimerTest, ATimerForWhichThereIsNoMemoryChangesNothing) {
  Recorder timer;
  std::size_t refused = 0;
  for (std::size_t scheduled = 0; scheduled < 40;) {
    try {
      const NoAllocations none;
      this->reactor->schedule(TimePoint(), &timer);
      ++scheduled;
    } catch (const std::bad_alloc&) {
      ++refused;
      this->reactor->schedule(TimePoint(), &timer);
      ++scheduled;
    }
  }
  EXPECT_GE(refused, 3u);
  EXPECT_EQ(this->reactor->run_once(only_look), 40u);
  EXPECT_EQ(timer.calls, 40);
}

TYPED_TEST(ReactorTimerTest, ACancelledTimerIsNotCalled) {
  Recorder timer;
  const TimerId id = this->reactor->schedule(Clock::now(), &timer);
  EXPECT_TRUE(this->reactor->cancel(id));
  EXPECT_FALSE(this->reactor->cancel(id));
  EXPECT_FALSE(this->reactor->cancel(TimerId::none));
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  EXPECT_EQ(timer.calls, 0);
}

TYPED_TEST(ReactorTimerTest, ATimerMayCancelAnotherThatIsDue) {
  TimerId second{};
  Recorder victim;
  Recorder first([&] { EXPECT_TRUE(this->reactor->cancel(second)); });
  const TimePoint now = Clock::now();
  const TimerId id = this->reactor->schedule(now - 2ms, &first);
  second = this->reactor->schedule(now - 1ms, &victim);
  this->reactor->run_once(for_ever);
  EXPECT_EQ(victim.calls, 0);
  EXPECT_FALSE(this->reactor->cancel(id));
}

TYPED_TEST(ReactorTimerTest, ATimerScheduledByAHandlerWaitsForTheNextRound) {
  Recorder second;
  Recorder first([&] { this->reactor->schedule(Clock::now() - 1h, &second); });
  Recorder third;
  this->reactor->schedule(Clock::now() - 1ms, &first);
  this->reactor->schedule(Clock::now(), &third);
  EXPECT_EQ(this->reactor->run_once(for_ever), 2u);
  EXPECT_EQ(second.calls, 0);
  EXPECT_EQ(third.calls, 1);
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(second.calls, 1);
}

TYPED_TEST(ReactorTimerTest, TimersAreCalledAfterTheDescriptorsOfTheSameRound) {
  Pair pair;
  Recorder timer;
  int timer_calls_seen = -1;
  Recorder handler([&] { timer_calls_seen = timer.calls; });
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  pair.send();
  this->reactor->schedule(Clock::now(), &timer);
  EXPECT_EQ(this->reactor->run_once(for_ever), 2u);
  EXPECT_EQ(timer_calls_seen, 0);
}

TYPED_TEST(ReactorTimerTest, ATimerFarAwayDoesNotKeepRunOnce) {
  Recorder timer;
  this->reactor->schedule(Clock::now() + 1h, &timer);
  this->reactor->schedule(no_deadline, &timer);
  EXPECT_EQ(this->reactor->run_once(1ms), 0u);
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
}

}  // namespace takt::os
