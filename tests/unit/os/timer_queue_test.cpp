#include "os/reactor/timer_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace takt::os {

using namespace std::chrono_literals;

namespace {

constexpr TimePoint epoch{};

struct Counter final : TimerHandler {
  void on_timer() noexcept override { ++calls; }
  int calls = 0;
};

}  // namespace

TEST(TimerQueue, TellsWhenTheNextIsDue) {
  TimerQueue queue;
  Counter counter;
  EXPECT_EQ(queue.next(), std::nullopt);
  queue.schedule(epoch + 5s, &counter);
  queue.schedule(epoch + 3s, &counter);
  EXPECT_EQ(queue.next(), epoch + 3s);
  EXPECT_EQ(queue.run_due(epoch + 2s), 0u);
  EXPECT_EQ(queue.run_due(epoch + 3s), 1u);
  EXPECT_EQ(queue.next(), epoch + 5s);
}

TEST(TimerQueue, DoesNotTakeAnOldIdForTheTimerThatFollowedInItsPlace) {
  TimerQueue queue;
  Counter counter;
  const TimerId first = queue.schedule(epoch, &counter);
  queue.run_due(epoch);
  const TimerId second = queue.schedule(epoch + 1s, &counter);
  EXPECT_NE(first, second);
  EXPECT_FALSE(queue.cancel(first));
  EXPECT_EQ(queue.size(), 1u);
  EXPECT_TRUE(queue.cancel(second));
  EXPECT_TRUE(queue.empty());
}

// Compares with a list that is searched: random schedules and cancellations, then advancing time.
TEST(TimerQueue, AgreesWithASimpleModel) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    struct Timer {
      TimePoint when;
      TimerId id;
      std::unique_ptr<Counter> counter;
      int expected;
    };
    std::vector<Timer> timers;
    TimerQueue queue;
    TimePoint now = epoch;
    for (int step = 0; step < 200; ++step) {
      const unsigned action = random() % 4;
      if (action < 2) {
        auto counter = std::make_unique<Counter>();
        const TimePoint when = now + std::chrono::seconds(random() % 50);
        const TimerId id = queue.schedule(when, counter.get());
        timers.push_back({when, id, std::move(counter), 0});
      } else if (action == 2 && !timers.empty()) {
        Timer& timer = timers[random() % timers.size()];
        EXPECT_EQ(queue.cancel(timer.id), timer.expected == 0);
        if (timer.expected == 0) timer.expected = -1;
      } else {
        now += std::chrono::seconds(random() % 10);
        for (Timer& timer : timers)
          if (timer.expected == 0 && timer.when <= now) timer.expected = 1;
        queue.run_due(now);
      }
      const auto waiting = std::ranges::count(timers, 0, &Timer::expected);
      ASSERT_EQ(queue.size(), static_cast<std::size_t>(waiting));
    }
    for (const Timer& timer : timers) EXPECT_EQ(timer.counter->calls, timer.expected == 1 ? 1 : 0);
  }
}

TEST(TimerQueue, OneThatAlwaysSchedulesIntoThePastDoesNotStarveTheOthers) {
  struct Eager final : TimerHandler {
    void on_timer() noexcept override { queue->schedule(epoch, this); }
    TimerQueue* queue;
  } eager;
  TimerQueue queue;
  eager.queue = &queue;
  Counter counter;
  queue.schedule(epoch + 1s, &eager);
  queue.schedule(epoch + 2s, &counter);
  queue.run_due(epoch + 1s);
  queue.run_due(epoch + 2s);
  queue.run_due(epoch + 3s);
  EXPECT_EQ(counter.calls, 1);
}

}  // namespace takt::os
