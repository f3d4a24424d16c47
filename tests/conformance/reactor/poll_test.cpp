// The contract of shared_poll.h, for each way of waiting, with one thread that waits.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "allocations.h"
#include "os/poll/shared_poll.h"
#include "reactors.h"
#include "transport/socket_stream.h"
#ifdef TAKT_HAS_LIBURING
#include "uring/uring_poll.h"
#endif

namespace takt::os {
namespace {

using namespace std::chrono_literals;
using Stream = std::unique_ptr<transport::Stream>;
using Watching = SharedPoll::Watching;

struct ByEpoll {
  static constexpr const char* name = "epoll";
  std::unique_ptr<SharedPoll> poll = std::move(SharedPoll::create().value());
  static Stream adopt(Stream stream) { return stream; }
};

#ifdef TAKT_HAS_LIBURING
struct ByUring {
  static constexpr const char* name = "io_uring";
  std::unique_ptr<uring::UringPoll> poll = [] {
    auto made = uring::UringPoll::create();
    return made ? std::move(*made) : nullptr;
  }();
  Stream adopt(Stream stream) const { return poll->reactor().adopt(std::move(stream)); }
};
using Polls = ::testing::Types<ByEpoll, ByUring>;
#else
using Polls = ::testing::Types<ByEpoll>;
#endif

// A connection: `near` is read in the tests, `far` belongs to the peer.
struct Connection {
  template <class By>
  explicit Connection(By& by) {
    near = by.adopt(std::make_unique<transport::SocketStream>(
        Socket(std::exchange(ends.near, -1)),
        transport::SocketStream::Facts{.ends = {"unix", "here", "there"}}));
    near->set_blocking(false);
  }
  int fd() const { return near->native_handle(); }
  void send(std::string_view octets) const {
    ASSERT_EQ(::write(ends.far, octets.data(), octets.size()), static_cast<ssize_t>(octets.size()));
  }
  std::string read(std::size_t most = 65536) const {
    std::string octets(most, '\0');
    const auto result = near->read({reinterpret_cast<std::uint8_t*>(octets.data()), octets.size()});
    octets.resize(result.status == transport::IoStatus::ok ? result.bytes : 0);
    return octets;
  }
  bool write(std::string_view octets) const {
    const ByteView view(reinterpret_cast<const std::uint8_t*>(octets.data()), octets.size());
    return near->write(view).bytes == octets.size();
  }
  // The octets that the peer can read now.
  std::string received() const {
    std::array<char, 65536> octets;
    const ssize_t count = ::read(ends.far, octets.data(), octets.size());
    return {octets.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
  }

  Pair ends;
  Stream near;
};

template <class T>
class PollTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!by.poll) GTEST_SKIP() << "the kernel refuses " << T::name;
    EXPECT_FALSE(poll().wait(0ns)) << "this thread waits from now on";
  }
  SharedPoll& poll() { return *by.poll; }
  // The token of the next event; null: there is none.
  void* next(std::chrono::nanoseconds timeout = 10s) {
    const auto deadline = Clock::now() + timeout;
    do {
      if (const auto ready = poll().wait(timeout)) return ready->token;
    } while (Clock::now() < deadline);
    return nullptr;
  }
  bool is_quiet() { return next(20ms) == nullptr; }
  void watch(Connection& one, Watching watching, Interest interest = Interest::read) {
    ASSERT_TRUE(poll().add(one.fd(), interest, &one, watching));
  }

  T by;
};

struct PollName {
  template <class T>
  static std::string GetName(int) {
    return T::name;
  }
};
TYPED_TEST_SUITE(PollTest, Polls, PollName);

TYPED_TEST(PollTest, TellsAConnectionThatIsWatchedAlwaysUntilItIsRead) {
  Connection one(this->by);
  this->watch(one, Watching::always);
  EXPECT_TRUE(this->is_quiet());
  for (int i = 0; i < 50; ++i) {
    one.send("abcd");
    ASSERT_EQ(this->next(), &one);
    ASSERT_EQ(one.read(2), "ab");
    ASSERT_EQ(this->next(), &one);
    ASSERT_EQ(one.read(), "cd");
    ASSERT_TRUE(i > 2 || this->is_quiet());
  }
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, TellsAConnectionThatIsWatchedOnceAgainWhenAsked) {
  Connection one(this->by), other(this->by);
  this->watch(one, Watching::once);
  this->watch(other, Watching::once);
  for (int i = 0; i < 50; ++i) {
    one.send("ab");
    ASSERT_EQ(this->next(), &one);
    one.send("c");
    other.send("d");
    ASSERT_EQ(this->next(), &other) << "and not the first";
    ASSERT_EQ(other.read(), "d");
    ASSERT_TRUE(this->poll().again(other.fd(), Interest::read, &other, Watching::once));
    ASSERT_TRUE(i > 2 || this->is_quiet());
    ASSERT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
    ASSERT_EQ(this->next(), &one);
    std::string octets = one.read();
    ASSERT_EQ(octets += one.read(), "abc");
    ASSERT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
    ASSERT_TRUE(i > 2 || this->is_quiet());
  }
  this->poll().remove(one.fd());
  this->poll().remove(other.fd());
}

TYPED_TEST(PollTest, TellsWhatIsAskedForOnly) {
  Connection one(this->by);
  this->watch(one, Watching::once, Interest::write);
  one.send("ab");
  const auto ready = this->poll().wait(10s);
  ASSERT_TRUE(ready);
  EXPECT_EQ(ready->interest, Interest::write);
  EXPECT_TRUE(this->is_quiet());
  this->poll().again(one.fd(), Interest::none, &one, Watching::once);
  EXPECT_TRUE(this->is_quiet());
  this->poll().again(one.fd(), Interest::read, &one, Watching::once);
  EXPECT_EQ(this->next(), &one);
  EXPECT_EQ(one.read(), "ab");
  this->poll().remove(one.fd());
}

// A peer that floods fills no more than its share of buffers while this thread does not read.
TYPED_TEST(PollTest, OctetsThatComeBetweenTwoReadsAreWhole) {
  Connection one(this->by);
  this->watch(one, Watching::once);
  std::string sent, got;
  for (int i = 0; i < 20; ++i) {
    sent += std::string(5000, static_cast<char>('a' + i));
    one.send(std::string_view(sent).substr(sent.size() - 5000));
    if (i == 0) {
      ASSERT_EQ(this->next(), &one);
    }
    ASSERT_FALSE(this->poll().wait(1ms));
  }
  while (got.size() < sent.size()) {
    ASSERT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
    ASSERT_EQ(this->next(), &one);
    got += one.read(3000);
  }
  EXPECT_EQ(got, sent);
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, AnotherThreadMayAskForTheNextEvent) {
  Connection one(this->by);
  this->watch(one, Watching::once);
  for (int i = 0; i < 300; ++i) {
    one.send("ab");
    ASSERT_EQ(this->next(), &one);
    ASSERT_EQ(one.read(), "ab");
    std::thread([&] { this->poll().again(one.fd(), Interest::read_write, &one, Watching::once); }).join();
    ASSERT_EQ(this->next(), &one) << "it can be written";
    ASSERT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
  }
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, AnotherThreadMayAddWhatIsNoStreamOfThePoll) {
  Pair pair;
  std::thread([&] {
    EXPECT_TRUE(this->poll().add(pair.near, Interest::read, &pair, Watching::always));
  }).join();
  for (int i = 0; i < 20; ++i) {
    pair.send();
    ASSERT_EQ(this->next(), &pair);
    pair.receive();
  }
  std::thread([&] { this->poll().remove(pair.near); }).join();
  pair.send();
  EXPECT_TRUE(this->is_quiet());
}

TYPED_TEST(PollTest, ARemovedConnectionIsNotToldThoughItWasReady) {
  Connection one(this->by), other(this->by);
  this->watch(one, Watching::always);
  this->watch(other, Watching::always);
  one.send("a");
  other.send("b");
  ASSERT_TRUE(this->poll().wait(10s));
  this->poll().remove(one.fd());
  this->poll().remove(other.fd());
  EXPECT_TRUE(this->is_quiet());
  EXPECT_EQ(one.read(), "a") << "what has arrived is not lost";
  EXPECT_EQ(other.read(), "b");
}

TYPED_TEST(PollTest, ADescriptorThatIsUsedAgainTellsOfItsSuccessor) {
  for (int i = 0; i < 100; ++i) {
    Connection one(this->by);
    this->watch(one, i % 2 ? Watching::once : Watching::always);
    one.send("a");
    if (i % 3) {
      ASSERT_EQ(this->next(), &one);
    }
    this->poll().remove(one.fd());
  }
  EXPECT_TRUE(this->is_quiet());
}

TYPED_TEST(PollTest, AConnectionThatIsNotAddedForWantOfMemoryCanBeAddedLater) {
  Connection one(this->by);
  bool is_added = false;
  for (std::size_t granted = 0; !is_added; ++granted) {
    ASSERT_LT(granted, 20u);
    try {
      const NoAllocations others(granted);
      is_added = this->poll().add(one.fd(), Interest::read, &one, Watching::always);
      ASSERT_TRUE(is_added) << "the number counts as added since the attempt before";
    } catch (const std::bad_alloc&) {
    }
  }
  one.send("a");
  ASSERT_EQ(this->next(), &one);
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, AnotherThreadAsksForTheNextEventWithoutMemory) {
  Connection one(this->by);
  this->watch(one, Watching::once);
  for (int i = 0; i < 20; ++i) {
    one.send("a");
    ASSERT_EQ(this->next(), &one);
    ASSERT_EQ(one.read(), "a");
    std::thread([&] {
      const NoAllocations none;
      EXPECT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
    }).join();
  }
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, TheEndOfAConnectionIsReadable) {
  Connection one(this->by);
  this->watch(one, Watching::once);
  one.send("last");
  one.ends.close_far();
  ASSERT_EQ(this->next(), &one);
  EXPECT_EQ(one.read(), "last");
  ASSERT_TRUE(this->poll().again(one.fd(), Interest::read, &one, Watching::once));
  ASSERT_EQ(this->next(), &one);
  std::uint8_t octet;
  EXPECT_EQ(one.near->read({&octet, 1}).status, transport::IoStatus::end_of_stream);
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, AReplyLeavesWithTheNextWaitOrWhenTheThreadRests) {
  Connection one(this->by);
  this->watch(one, Watching::always);
  for (int i = 0; i < 20; ++i) {
    one.send("question");
    ASSERT_EQ(this->next(), &one);
    ASSERT_EQ(one.read(), "question");
    ASSERT_TRUE(one.write("answer"));
    if (i % 2)
      this->poll().rest();
    else
      ASSERT_FALSE(this->poll().wait(0ns));
    ASSERT_EQ(one.received(), "answer");
  }
  this->poll().remove(one.fd());
}

TYPED_TEST(PollTest, AReplyLeavesBeforeTheNextConnectionIsTold) {
  Connection one(this->by), other(this->by);
  this->watch(one, Watching::always);
  this->watch(other, Watching::always);
  one.send("a");
  other.send("b");
  std::this_thread::sleep_for(1ms);
  const auto* const first = static_cast<Connection*>(this->next());
  ASSERT_TRUE(first && first->read().size() == 1 && first->write("answer"));
  const auto* const second = static_cast<Connection*>(this->next());
  ASSERT_TRUE(second && second != first);
  EXPECT_EQ(first->received(), "answer");
  EXPECT_EQ(second->read().size(), 1u);
  this->poll().remove(one.fd());
  this->poll().remove(other.fd());
}

TYPED_TEST(PollTest, WhatIsReadyCanBeLookedAtInTurns) {
  std::vector<std::unique_ptr<Connection>> all;
  for (int i = 0; i < 20; ++i) {
    all.push_back(std::make_unique<Connection>(this->by));
    this->watch(*all.back(), Watching::always);
    all.back()->send("a");
  }
  std::vector<void*> seen;
  std::array<SharedPoll::Ready, 6> found;
  for (int i = 0; i < 100 && seen.size() < all.size(); ++i)
    for (const auto& ready : std::span(found).first(this->poll().take_ready(found)))
      if (std::ranges::find(seen, ready.token) == seen.end()) seen.push_back(ready.token);
  EXPECT_EQ(seen.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto* const one = static_cast<Connection*>(this->next());
    ASSERT_TRUE(one);
    EXPECT_EQ(one->read(), "a");
  }
  EXPECT_TRUE(this->is_quiet());
  for (const auto& one : all) this->poll().remove(one->fd());
}

TYPED_TEST(PollTest, AWakeUpIsPermanent) {
  std::thread other([&] {
    std::this_thread::sleep_for(20ms);
    this->poll().wake_permanently();
  });
  for (int i = 0; i < 3; ++i) {
    const auto ready = this->poll().wait(10s);
    ASSERT_TRUE(ready);
    EXPECT_EQ(ready->token, nullptr);
  }
  other.join();
}

TYPED_TEST(PollTest, WhenTheThreadHasLeftAnotherOneMayUseTheStreams) {
  Connection one(this->by), other(this->by);
  this->watch(one, Watching::always);
  this->watch(other, Watching::once);
  one.send("request");
  ASSERT_EQ(this->next(), &one);
  ASSERT_EQ(one.read(3), "req");
  ASSERT_TRUE(one.write("answer"));
  other.send("more");
  this->poll().leave();
  EXPECT_EQ(one.received(), "answer");
  std::thread([&] {
    EXPECT_EQ(one.read(), "uest");
    EXPECT_EQ(other.read(), "more");
    EXPECT_TRUE(other.write("end"));
    this->poll().again(other.fd(), Interest::read, &other, Watching::once);
    EXPECT_EQ(other.received(), "end");
  }).join();
}

#ifdef TAKT_HAS_LIBURING
// After many changes of the thread, epoll serves.
TEST(UringPoll, ServesThoughThreadsTakeTurns) {
  ByUring by;
  if (!by.poll) GTEST_SKIP() << "the kernel refuses io_uring";
  (void)by.poll->wait(0ns);
  Connection one(by), other(by);
  ASSERT_TRUE(by.poll->add(one.fd(), Interest::read, &one, Watching::always));
  ASSERT_TRUE(by.poll->add(other.fd(), Interest::read, &other, Watching::once));
  for (int i = 0; i < 40; ++i) {
    one.send("ab");
    other.send("c");
    std::thread([&] {
      std::string told;
      while (told.size() < 3)
        if (const auto ready = by.poll->wait(10s)) {
          auto& from = *static_cast<Connection*>(ready->token);
          const std::string octets = from.read(1);
          if (&from == &other) {
            ASSERT_EQ(octets, "c");
            by.poll->again(other.fd(), Interest::read, &other, Watching::once);
          }
          told += octets.empty() ? "-" : octets;
          ASSERT_TRUE(from.write("x"));
        }
      std::ranges::sort(told);
      EXPECT_EQ(told, "abc");
      (void)by.poll->wait(0ns);
    }).join();
  }
  const std::string answers = one.received();
  EXPECT_GE(answers.size(), 80u);
}
#endif

}  // namespace
}  // namespace takt::os
