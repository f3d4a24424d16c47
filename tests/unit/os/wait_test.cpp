#include "os/poll/wait.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <atomic>
#include <thread>

#include "os/net/socket.h"
#include "os/poll/interruption.h"

namespace takt::os {

using namespace std::chrono_literals;

class WaitTest : public ::testing::Test {
 protected:
  void SetUp() override {
    int ends[2] = {-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    near = Socket(ends[0]);
    far = Socket(ends[1]);
  }
  Socket near, far;
};

TEST_F(WaitTest, EndsAtTheDeadline) {
  const TimePoint deadline = Clock::now() + 2ms;
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, deadline), WaitResult::timed_out);
  EXPECT_GE(Clock::now(), deadline);
}

TEST_F(WaitTest, ADeadlineInThePastOnlyLooks) {
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, Clock::now() - 1h), WaitResult::timed_out);
  EXPECT_EQ(wait_ready(near.fd(), Interest::write, Clock::now() - 1h), WaitResult::ready);
}

TEST_F(WaitTest, AHangUpCountsAsReady) {
  far = Socket();
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, no_deadline), WaitResult::ready);
}

TEST_F(WaitTest, AClosedDescriptorIsAFailure) {
  const int number = near.fd();
  near = Socket();
  EXPECT_EQ(wait_ready(number, Interest::read, no_deadline), WaitResult::failed);
}

namespace {

bool is_set(const void* flag) noexcept { return static_cast<const std::atomic<bool>*>(flag)->load(); }

}  // namespace

TEST_F(WaitTest, AnInterruptionEndsIt) {
  std::atomic<bool> stop{false};
  const std::atomic<bool> never{false};
  const Interruption outer(&is_set, &stop);
  const Interruption inner(&is_set, &never);
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, Clock::now() + 120ms), WaitResult::timed_out);
  std::jthread stops([&] {
    std::this_thread::sleep_for(20ms);
    stop = true;
  });
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, no_deadline), WaitResult::timed_out);
  EXPECT_EQ(wait_ready(near.fd(), Interest::write, no_deadline), WaitResult::ready);
  const TimePoint next = Interruption::next_look(Clock::now() + 1h);
  EXPECT_LE(next, Clock::now()) << "the next wait does not begin";
}

TEST_F(WaitTest, APassedDeadlineIsNoInterruption) {
  const std::atomic<bool> never{false};
  const Interruption idle(&is_set, &never);
  const TimePoint deadline = Clock::now() + 120ms;
  EXPECT_EQ(wait_ready(near.fd(), Interest::read, deadline), WaitResult::timed_out);
  EXPECT_GE(Clock::now(), deadline);
  EXPECT_FALSE(Interruption::is_due());
}

TEST(Remaining, IsNeverNegativeAndNeverOverflows) {
  const TimePoint now{5s};
  EXPECT_EQ(remaining(now + 1s, now), 1s);
  EXPECT_EQ(remaining(now - 1s, now), 0s);
  EXPECT_EQ(remaining(no_deadline, now), std::chrono::nanoseconds::max());
}

}  // namespace takt::os
