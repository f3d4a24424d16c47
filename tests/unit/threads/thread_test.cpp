#include "threads/thread.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <latch>
#include <string>
#include <vector>

namespace takt::os {

TEST(Thread, RunsUnderItsNameAndIsJoined) {
  char name[16] = "";
  auto thread = Thread::start({.name = "a-name-of-more-than-15"},
                              [&] { ::pthread_getname_np(::pthread_self(), name, sizeof name); });
  ASSERT_TRUE(thread);
  EXPECT_TRUE(thread->joinable());
  thread->join();
  EXPECT_FALSE(thread->joinable());
  EXPECT_STREQ(name, "a-name-of-more-");
}

TEST(Thread, IsJoinedByItsOwnersEnd) {
  int value = 0;
  {
    const auto thread = Thread::start({}, [&] { value = 1; });
    ASSERT_TRUE(thread);
  }
  EXPECT_EQ(value, 1);
}

TEST(Thread, MovesWithItsOwnership) {
  int value = 0;
  Thread kept;
  {
    auto thread = Thread::start({}, [&] { value = 1; });
    kept = std::move(*thread);
    EXPECT_FALSE(thread->joinable());
  }
  EXPECT_TRUE(kept.joinable());
  kept.join();
  EXPECT_EQ(value, 1);
}

TEST(Thread, LeavesSignalsToTheApplication) {
  sigset_t mask;
  auto thread = Thread::start({}, [&] { ::pthread_sigmask(SIG_SETMASK, nullptr, &mask); });
  thread->join();
  EXPECT_EQ(::sigismember(&mask, SIGINT), 1);
  EXPECT_EQ(::sigismember(&mask, SIGTERM), 1);
  EXPECT_EQ(::sigismember(&mask, SIGSEGV), 0);
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(::sigismember(&mask, SIGINT), 0);
}

TEST(Thread, TakesAStackOfTheSizeAskedFor) {
  std::size_t size = 0;
  auto thread = Thread::start({.stack_bytes = 300'001}, [&] {
    pthread_attr_t attributes;
    ::pthread_getattr_np(::pthread_self(), &attributes);
    ::pthread_attr_getstacksize(&attributes, &size);
    ::pthread_attr_destroy(&attributes);
  });
  ASSERT_TRUE(thread);
  thread->join();
  EXPECT_GE(size, 300'001u);
  EXPECT_LT(size, 1'000'000u);
}

TEST(Thread, MayDropItsOwnHandle) {
  std::latch given(1), dropped(1);
  auto holder = std::make_unique<Thread>();
  auto thread = Thread::start({}, [&] {
    given.wait();
    EXPECT_TRUE(holder->is_current());
    holder.reset();  // must not wait for itself
    dropped.count_down();
  });
  ASSERT_TRUE(thread);
  *holder = std::move(*thread);
  given.count_down();
  dropped.wait();
}

TEST(Thread, HasTheHookOfTheProcessAroundItsWork) {
  static std::vector<std::string> done;
  const auto start = [](ThreadUse use) {
    done.clear();
    auto thread = Thread::start({.use = use}, [] { done.push_back("work"); });
    ASSERT_TRUE(thread);
    thread->join();
  };
  set_thread_hook([](ThreadUse use, void (*run)(void*), void* work) {
    done.push_back(use == ThreadUse::upcalls ? "upcalls" : "others");
    if (use == ThreadUse::callbacks) return;  // the work is done nevertheless
    run(work);
    run(work);  // once
    done.push_back("after");
  });
  start(ThreadUse::upcalls);
  EXPECT_EQ(done, (std::vector<std::string>{"upcalls", "work", "after"}));
  start(ThreadUse::internal);
  EXPECT_EQ(done, (std::vector<std::string>{"others", "work", "after"}));
  start(ThreadUse::callbacks);
  EXPECT_EQ(done, (std::vector<std::string>{"others", "work"}));
  set_thread_hook(nullptr);
  start(ThreadUse::upcalls);
  EXPECT_EQ(done, (std::vector<std::string>{"work"}));
}

TEST(UsableProcessors, IsAtLeastOne) { EXPECT_GE(usable_processors(), 1u); }

}  // namespace takt::os
