#include "transport/shm/poll_pace.h"

#include <gtest/gtest.h>

#include <takt/transport/stream_options.h>

namespace takt::transport {
namespace {

using namespace std::chrono_literals;

const auto never = [] { return false; };
const auto at_once = [] { return true; };

// Whether the next wait polls.
bool polls(PollPace& pace) {
  bool polled = false;
  static_cast<void>(pace.poll(
      [&] {
        polled = true;
        return true;
      },
      never));
  return polled;
}

PollPace adaptive(int share = 100) {
  PollPace pace;
  pace.set(StreamOptions::adaptive_poll, share);
  return pace;
}

TEST(PollPace, OfAFixedTimeAlwaysPolls) {
  PollPace pace;
  EXPECT_FALSE(pace.may_poll());
  pace.set(1us, 1);
  EXPECT_TRUE(pace.may_poll());
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(pace.poll(never, never));
  EXPECT_TRUE(pace.poll(at_once, never));
  pace.set(1h, 1);
  EXPECT_FALSE(pace.poll(never, at_once)) << "it is over";
}

TEST(PollPace, SkipMoreAndMoreWaitsAsTheyPollInVain) {
  PollPace pace = adaptive();
  for (const unsigned skipped : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u, 256u}) {
    EXPECT_FALSE(pace.poll(never, never)) << "polls in vain";
    bool asked = false;
    for (unsigned i = 0; i < skipped; ++i) EXPECT_FALSE(pace.poll([&] { return asked = true; }, never));
    EXPECT_FALSE(asked) << skipped;
  }
  EXPECT_TRUE(polls(pace)) << "which finds something";
  EXPECT_TRUE(polls(pace));
  EXPECT_FALSE(pace.poll(never, never));
  EXPECT_FALSE(polls(pace));
  EXPECT_TRUE(polls(pace)) << "after one wait, as at first";
}

// A share of one percent; `burst` may be used in advance.
TEST(PollPace, OfAllConnectionsShareWhatTheProcessMaySpend) {
  PollPace one = adaptive(1), other = adaptive(1);
  const auto busy = [](PollPace& pace, std::chrono::microseconds time) {
    const auto until = os::Clock::now() + time;
    return pace.poll([until] { return os::Clock::now() >= until; }, never);
  };
  EXPECT_TRUE(busy(one, 20us)) << "which takes 2 ms of all";
  int polled = 1;
  while (polled < 100 && busy(polled % 2 == 0 ? one : other, 20us)) ++polled;
  EXPECT_GE(polled, 3);
  EXPECT_LT(polled, 100) << "the share is used up";
  EXPECT_FALSE(polls(one) || polls(other));
}

}  // namespace
}  // namespace takt::transport
