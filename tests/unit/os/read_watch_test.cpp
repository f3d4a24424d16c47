#include "os/poll/read_watch.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <thread>

#include "../threads/named_thread.h"
#include "threads/thread.h"
#include "threads/watching_thread.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

struct SocketPair {
  SocketPair() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0); }
  ~SocketPair() {
    for (const int fd : ends) ::close(fd);
  }
  ssize_t read() const {
    char octet;
    return ::read(ends[0], &octet, 1);
  }
  std::array<int, 2> ends{-1, -1};
};

TEST(ReadWatch, EndsAReadThatTakesTooLong) {
  bool in_time = false;  // at least once: a busy machine can delay it
  for (int i = 0; i < 10 && !in_time; ++i) {
    const SocketPair pair;
    ReadWatch watch;
    ASSERT_TRUE(watch.set_timeout(pair.ends[0], 1s));
    const auto start = Clock::now();
    watch.begin();
    EXPECT_EQ(pair.read(), 0) << "shut down";
    EXPECT_FALSE(watch.end());
    const auto taken = Clock::now() - start;
    EXPECT_GE(taken, 1s);
    in_time = taken < 1500ms;  // an eighth late, and a little more
  }
  EXPECT_TRUE(in_time);
}

TEST(ReadWatch, LeavesAReadAloneThatIsAnswered) {
  const SocketPair pair;
  ReadWatch watch;
  ASSERT_TRUE(watch.set_timeout(pair.ends[0], 1s));
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(::write(pair.ends[1], "x", 1), 1);
    watch.begin();
    ASSERT_EQ(pair.read(), 1);
    ASSERT_TRUE(watch.end());
  }
}

TEST(ReadWatch, DoesNotMindSilenceBetweenReads) {
  const SocketPair pair;
  ReadWatch watch;
  ASSERT_TRUE(watch.set_timeout(pair.ends[0], 1s));
  std::this_thread::sleep_for(1300ms);
  ASSERT_EQ(::write(pair.ends[1], "x", 1), 1);
  watch.begin();
  EXPECT_EQ(pair.read(), 1);
  EXPECT_TRUE(watch.end());
}

TEST(ReadWatch, OneOfManyEndsAndTheOthersGoOn) {
  const SocketPair silent;
  ReadWatch watch;
  ASSERT_TRUE(watch.set_timeout(silent.ends[0], 1s));
  std::array<SocketPair, 50> pairs;
  std::array<ReadWatch, 50> watches;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_TRUE(watches[i].set_timeout(pairs[i].ends[0], 20s));
    watches[i].begin();
  }
  watch.begin();
  EXPECT_EQ(silent.read(), 0);
  EXPECT_FALSE(watch.end());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ASSERT_EQ(::write(pairs[i].ends[1], "x", 1), 1);
    EXPECT_EQ(pairs[i].read(), 1);
    EXPECT_TRUE(watches[i].end());
  }
}

TEST(ReadWatch, ComesAndGoesWhileOthersWatch) {
  const SocketPair pair;
  std::array<std::jthread, 4> threads;
  for (auto& thread : threads)
    thread = std::jthread([&pair] {
      for (int i = 0; i < 500; ++i) {
        const auto watch = std::make_unique<ReadWatch>();
        EXPECT_TRUE(watch->set_timeout(pair.ends[0], std::chrono::seconds(1 + i % 3)));
        watch->begin();
        EXPECT_TRUE(watch->end());
        if (i % 2) watch->set_timeout(pair.ends[0], 0s);
      }
    });
}

TEST(ReadWatch, RunsAboveTheThreadsThatItWakes) {
  if (!may_use({SchedulingClass::fifo, 20})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  const SocketPair pair;
  ReadWatch watch;
  ASSERT_TRUE(watch.set_timeout(pair.ends[0], 1h));
  EXPECT_EQ(WatchingThread::run_at_least(20), 0);
  EXPECT_EQ(priority_of_thread_named("takt-watch"), 20);
}

}  // namespace
}  // namespace takt::os
