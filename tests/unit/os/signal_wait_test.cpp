#include "os/process/signal_wait.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <vector>

namespace {

using namespace takt::os;
using namespace std::chrono_literals;

constexpr SignalSet hang_up{.hang_up = true};

TEST(SignalWait, ASignalEndsTheWaitAndNotTheProcess) {
  const auto wait = SignalWait::take({.terminate = true, .hang_up = true}).value();
  EXPECT_EQ(wait->taken(), (SignalSet{.terminate = true, .hang_up = true}));
  ::raise(SIGTERM);
  EXPECT_EQ(wait->wait_until(no_deadline), (SignalSet{.terminate = true}));
  ::raise(SIGTERM);
  ::raise(SIGHUP);
  EXPECT_EQ(wait->wait_until(no_deadline), (SignalSet{.terminate = true, .hang_up = true}));
  EXPECT_EQ(wait->wait_until(Clock::now()), SignalSet{});
}

TEST(SignalWait, EndsAtItsTimeOrWhenItIsWoken) {
  const auto wait = SignalWait::take({}).value();
  const auto end = Clock::now() + 5ms;
  EXPECT_EQ(wait->wait_until(end), SignalSet{});
  EXPECT_GE(Clock::now(), end);
  wait->wake();
  EXPECT_EQ(wait->wait_until(no_deadline), SignalSet{});
}

TEST(SignalWait, AllThatTookASignalGetIt) {
  const auto one = SignalWait::take(hang_up).value();
  auto other = SignalWait::take(hang_up).value();
  ::raise(SIGHUP);
  EXPECT_EQ(one->wait_until(no_deadline), hang_up);
  EXPECT_EQ(other->wait_until(no_deadline), hang_up);
  other.reset();
  ::raise(SIGHUP);
  EXPECT_EQ(one->wait_until(no_deadline), hang_up);
}

TEST(SignalWait, WhatASignalDidIsGivenBack) {
  ::signal(SIGHUP, SIG_IGN);
  SignalWait::take(hang_up).value().reset();
  struct sigaction now = {};
  ::sigaction(SIGHUP, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_IGN);
  ::signal(SIGHUP, SIG_DFL);
}

volatile sig_atomic_t handled = 0;

TEST(SignalWait, AHandlerOfTheProgramStays) {
  ::signal(SIGHUP, [](int) { handled = 1; });
  const auto wait = SignalWait::take({.terminate = true, .hang_up = true}).value();
  EXPECT_EQ(wait->taken(), (SignalSet{.terminate = true}));
  ::raise(SIGHUP);
  EXPECT_EQ(handled, 1);
  EXPECT_EQ(wait->wait_until(Clock::now()), SignalSet{});
  ::signal(SIGHUP, SIG_DFL);
}

TEST(SignalWait, TheSecondInterruptEndsTheProcess) {
  EXPECT_EXIT(
      {
        const auto wait = SignalWait::take({.interrupt = true}).value();
        ::raise(SIGINT);
        if (!wait->wait_until(no_deadline).interrupt) ::_exit(1);
        ::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

// Whether nothing wakes its thread.
bool sleeps(SignalWait& wait) {
  const auto end = Clock::now() + 5ms;
  return wait.wait_until(end) == SignalSet{} && Clock::now() >= end;
}

TEST(SignalWait, AChildByForkIsEndedBySignalsThatItsParentTakes) {
  const auto wait = SignalWait::take({.terminate = true, .interrupt = true}).value();
  for (const int number : {SIGTERM, SIGINT}) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::raise(number);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << status;
  }
  EXPECT_TRUE(sleeps(*wait)) << "the parent is told of a child's signal";
}

TEST(SignalWait, AChildByForkMayTakeSignalsItself) {
  const auto wait = SignalWait::take({.terminate = true}).value();
  SignalWait::take({.terminate = true}).value().reset();  // leaves its descriptor to the next one
  EXPECT_EXIT(
      {
        const auto own = SignalWait::take({.terminate = true}).value();
        ::raise(SIGTERM);
        ::_exit(own->wait_until(no_deadline).terminate ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_TRUE(sleeps(*wait));
}

TEST(SignalWait, ThereIsABound) {
  std::vector<std::unique_ptr<SignalWait>> all;
  for (int i = 0; i < SignalWait::most; ++i) all.push_back(SignalWait::take({}).value());
  EXPECT_EQ(SignalWait::take({}).error(), EAGAIN);
  all.pop_back();
  EXPECT_TRUE(SignalWait::take({}).has_value());
}

}  // namespace
