// Memory shared between processes, and the means to wake waiting processes.
#include <gtest/gtest.h>

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <thread>
#include <vector>

#include "../threads/named_thread.h"
#include "os/shared_memory/descriptor_passing.h"
#include "os/shared_memory/doorbell.h"
#include "os/shared_memory/futex.h"
#include "os/shared_memory/hang_up_watch.h"
#include "os/shared_memory/machine_identity.h"
#include "os/shared_memory/shared_region.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"
#include "threads/watching_thread.h"

namespace takt::os {
namespace {

using namespace std::chrono_literals;

struct MappedPair {
  MappedPair() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
    near = Socket(ends[0]);
    far = Socket(ends[1]);
  }
  Socket near, far;
};

bool is_ready(const Socket& socket, short events) {
  pollfd one{socket.fd(), events, 0};
  return ::poll(&one, 1, 0) == 1;
}

TEST(SharedRegion, WhatOneWritesTheOtherReads) {
  auto made = SharedRegion::create(8192).value();
  auto other = SharedRegion::adopt(made.second, 8192).value();
  EXPECT_EQ(made.first.data()[8191], 0);
  made.first.data()[8191] = 7;
  EXPECT_EQ(other.data()[8191], 7);
  EXPECT_FALSE(SharedRegion::adopt(made.second, 4096));
  EXPECT_NE(::ftruncate(made.second.fd(), 4096), 0) << "its size is sealed";
  EXPECT_TRUE(other.populate(other.size()));
}

TEST(Futex, WakesWhoSleepsAndNobodyElse) {
  std::atomic<std::uint32_t> word{1};
  EXPECT_EQ(wait_on_futex(word, 2, 0ns), FutexWait::woken) << "it has changed already";
  EXPECT_EQ(wait_on_futex(word, 1, 1ms), FutexWait::timed_out);
  std::jthread waker([&] {
    word = 0;
    wake_futex(word);
  });
  while (word == 1) wait_on_futex(word, 1, 0ns);
}

TEST(Doorbell, ABellIsReadyToReadUntilItIsTaken) {
  MappedPair pair;
  Doorbell near(pair.near), far(pair.far);
  EXPECT_EQ(far.look(), Doorbell::Signal::none);
  EXPECT_EQ(near.ring(), 0);
  EXPECT_TRUE(is_ready(pair.far, POLLIN));
  EXPECT_EQ(far.look(), Doorbell::Signal::bell);
  EXPECT_EQ(far.take(), Doorbell::Signal::bell);
  EXPECT_FALSE(is_ready(pair.far, POLLIN));
}

TEST(Doorbell, APlugIsNotReadyToWriteUntilItIsTakenAndBellsPassIt) {
  MappedPair pair;
  Doorbell near(pair.near), far(pair.far);
  for (int bells = 0; bells < 3; ++bells) EXPECT_EQ(near.ring(), 0);
  EXPECT_TRUE(is_ready(pair.near, POLLOUT));
  EXPECT_EQ(near.plug(), 0);
  EXPECT_FALSE(is_ready(pair.near, POLLOUT));
  EXPECT_EQ(near.ring(), 0);
  for (int bells = 0; bells < 3; ++bells) EXPECT_EQ(far.take(), Doorbell::Signal::bell);
  EXPECT_FALSE(is_ready(pair.near, POLLOUT));
  EXPECT_EQ(far.take(), Doorbell::Signal::plug);
  EXPECT_TRUE(is_ready(pair.near, POLLOUT));
  EXPECT_EQ(far.take(), Doorbell::Signal::bell);
}

// A reader that reads while the other side is still plugging must take neither a plug twice nor a bell with
// it.
TEST(Doorbell, APlugComesWholeHoweverSoonItIsTaken) {
  MappedPair pair;
  Doorbell near(pair.near), far(pair.far);
  constexpr int rounds = 20'000;
  std::atomic<int> plugs{0}, bells{0};
  std::jthread taker([&](const std::stop_token& stop) {
    while (!stop.stop_requested() && bells < rounds) switch (far.take()) {
        case Doorbell::Signal::plug:
          ++plugs;
          break;
        case Doorbell::Signal::bell:
          ++bells;
          break;
        default:
          break;
      }
  });
  // On a busy machine a round has only a switch or two.
  const auto enough = std::chrono::steady_clock::now() + 5s;
  for (int round = 0; round < rounds && std::chrono::steady_clock::now() < enough; ++round) {
    ASSERT_EQ(near.plug(), 0);
    ASSERT_EQ(near.ring(), 0);
    pollfd writable{pair.near.fd(), POLLOUT, 0};
    ASSERT_EQ(::poll(&writable, 1, 5000), 1);
    const auto until = std::chrono::steady_clock::now() + 5s;
    while (bells == round && std::chrono::steady_clock::now() < until) std::this_thread::yield();
    ASSERT_EQ(bells, round + 1);
    ASSERT_EQ(plugs, round + 1);
  }
}

TEST(Doorbell, KnowsThatThePeerIsGone) {
  MappedPair pair;
  Doorbell near(pair.near);
  EXPECT_EQ(near.test_peer(), 0);
  pair.far = Socket();
  EXPECT_EQ(near.test_peer(), EPIPE);
  EXPECT_EQ(near.ring(), EPIPE);
  EXPECT_EQ(near.look(), Doorbell::Signal::end);
}

// Sleeps until it was woken the given number of times, which it requests.
class Sleeper final : public HangUpWatch::Sleeper {
 public:
  explicit Sleeper(int times) : times_(times) {}
  bool on_end(HangUpWatch::End end) noexcept override {
    const int told = told_.fetch_add(1) + 1;
    if (end == HangUpWatch::End::both) both_ = true;
    told_.notify_all();
    return told < times_;
  }
  void await(int told) const {
    for (int now; (now = told_) < told;) told_.wait(now);
  }
  bool both() const { return both_; }

 private:
  const int times_;
  std::atomic<int> told_{0};
  std::atomic<bool> both_{false};
};

TEST(HangUpWatch, TellsUntilNobodySleepsAnyMore) {
  MappedPair pair;
  Sleeper sleeper(3);
  HangUpWatch watch;
  ASSERT_TRUE(watch.watch(pair.near.fd(), sleeper));
  ASSERT_TRUE(watch.watch(pair.near.fd(), sleeper)) << "once is enough";
  pair.far = Socket();
  sleeper.await(3);
  EXPECT_TRUE(sleeper.both());
  watch.forget();
  EXPECT_FALSE(watch.watching());
}

TEST(HangUpWatch, TellsOfEachDirectionAndOfEndsThatCameBefore) {
  MappedPair pair;
  Sleeper sleeper(1);
  pair.far.shut_down_writing();
  HangUpWatch watch;
  ASSERT_TRUE(watch.watch(pair.near.fd(), sleeper));
  sleeper.await(1);
  EXPECT_FALSE(sleeper.both());
  pair.near.shut_down();  // done by this side
  sleeper.await(2);
  EXPECT_TRUE(sleeper.both());
}

TEST(HangUpWatch, ManyAtATimeAndAgain) {
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<MappedPair>> pairs;
    std::vector<std::unique_ptr<Sleeper>> sleepers;
    std::vector<std::unique_ptr<HangUpWatch>> watches;
    for (int i = 0; i < 10; ++i) {
      pairs.push_back(std::make_unique<MappedPair>());
      sleepers.push_back(std::make_unique<Sleeper>(1));
      watches.push_back(std::make_unique<HangUpWatch>());
      ASSERT_TRUE(watches.back()->watch(pairs.back()->near.fd(), *sleepers.back()));
    }
    for (int i = 0; i < 10; i += 2) pairs[i]->far = Socket();
    for (int i = 0; i < 10; i += 2) sleepers[i]->await(1);
  }
}

TEST(HangUpWatch, RunsAboveTheThreadsThatItWakes) {
  if (!may_use({SchedulingClass::fifo, 20})) GTEST_SKIP() << "SCHED_FIFO needs CAP_SYS_NICE";
  MappedPair pair;
  Sleeper sleeper(1);
  HangUpWatch watch;
  ASSERT_TRUE(watch.watch(pair.near.fd(), sleeper));
  EXPECT_EQ(WatchingThread::run_at_least(20), 0);
  EXPECT_EQ(priority_of_thread_named("takt-hang-up"), 20);
}

TEST(MachineIdentity, IsThere) {
  EXPECT_FALSE(machine_identity().empty());
  EXPECT_EQ(machine_identity(), machine_identity());
}

TEST(ProcessIdentity, IsThisProcessesAndNotThatOfOneItForks) {
  const std::string own = process_identity();
  EXPECT_EQ(process_identity(), own);
  EXPECT_LE(own.size(), 32u);
  EXPECT_EQ(own.find('/'), own.npos);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(process_identity() == own);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// A peer that sends more could use up this process's descriptors.
TEST(DescriptorPassing, ReceivesAtMostOne) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Socket here(ends[0]), there(ends[1]);
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
  };
  const auto before = descriptors();
  const std::array<int, 4> sent{ends[0], ends[0], ends[0], ends[0]};
  for (std::size_t bytes = sizeof(int); bytes <= sizeof sent; bytes += sizeof(int)) {
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof sent)] = {};
    std::uint8_t octet = 7;
    iovec piece{&octet, 1};
    msghdr message{};
    message.msg_iov = &piece;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = CMSG_SPACE(bytes);
    cmsghdr* const part = CMSG_FIRSTHDR(&message);
    part->cmsg_level = SOL_SOCKET;
    part->cmsg_type = SCM_RIGHTS;
    part->cmsg_len = CMSG_LEN(bytes);
    std::memcpy(CMSG_DATA(part), sent.data(), bytes);
    ASSERT_EQ(::sendmsg(there.fd(), &message, MSG_NOSIGNAL), 1);
    const auto received = receive_with_descriptor(here, {&octet, 1});
    ASSERT_TRUE(received);
    EXPECT_TRUE(received->descriptor.is_open());
    EXPECT_EQ(descriptors(), before + 1) << bytes;
  }
  EXPECT_EQ(descriptors(), before);
}

}  // namespace
}  // namespace takt::os
