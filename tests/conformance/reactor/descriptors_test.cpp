#include <arpa/inet.h>
#include <sys/eventfd.h>
#include <sys/resource.h>

#include <array>
#include <vector>

#include "allocations.h"
#include "reactors.h"

namespace takt::os {

namespace {

// A socket at a free port of this machine.
struct Port {
  explicit Port(int type) : fd(::socket(AF_INET, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_open = ::bind(fd, generic(), size) == 0 && (type == SOCK_DGRAM || ::listen(fd, 8) == 0) &&
              ::getsockname(fd, generic(), &size) == 0;
  }
  sockaddr* generic() { return reinterpret_cast<sockaddr*>(&address); }
  // A client's connection to it.
  int connect() {
    const int client = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::connect(client, generic(), size), 0);
    return client;
  }

  const int fd;
  sockaddr_in address{};
  socklen_t size = sizeof address;
  bool is_open = false;
};

}  // namespace

TYPED_TEST_SUITE(ReactorTest, Reactors, ReactorName);

TYPED_TEST(ReactorTest, ReportsNothingWhenNothingIsReady) {
  Pair pair;
  Recorder handler;
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  EXPECT_EQ(handler.calls, 0);
}

TYPED_TEST(ReactorTest, ReportsReadinessAgainUntilItIsUsedUp) {
  Pair pair;
  Recorder handler;
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(handler.last, Interest::read);
  pair.receive();
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  EXPECT_EQ(handler.calls, 2);
}

TYPED_TEST(ReactorTest, SaysWhetherAnotherHandlerWouldBeCalledAndForgetsNothing) {
  Pair one, two;
  bool alone = false, beside = false;
  const auto look = [&](bool& found) { found = this->reactor->has_others(one.near); };
  struct Looking final : EventHandler {
    std::function<void()> act;
    void on_ready(Interest) noexcept override { act(); }
  } first;
  Recorder second;
  ASSERT_TRUE(this->reactor->add(one.near, Interest::read, &first));
  ASSERT_TRUE(this->reactor->add(two.near, Interest::read, &second));
  one.send();
  first.act = [&] {
    look(alone);
    two.send();
    this->reactor->notify();
    look(beside);
    one.receive();
  };
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_FALSE(alone);
  EXPECT_TRUE(beside);
  EXPECT_EQ(second.calls, 0);
  EXPECT_LE(this->reactor->run_once(for_ever), 1u);
  this->reactor->run_once(only_look);
  EXPECT_GE(second.calls, 1);
}

TYPED_TEST(ReactorTest, ReportsOnlyWhatWasAskedFor) {
  Pair pair;
  Recorder handler;
  pair.send();
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::write, &handler));
  this->reactor->run_once(for_ever);
  EXPECT_EQ(handler.last, Interest::write);
  ASSERT_TRUE(this->reactor->modify(pair.near, Interest::read));
  this->reactor->run_once(for_ever);
  EXPECT_EQ(handler.last, Interest::read);
  ASSERT_TRUE(this->reactor->modify(pair.near, Interest::read_write));
  this->reactor->run_once(for_ever);
  EXPECT_EQ(handler.last, Interest::read_write);
  EXPECT_EQ(handler.calls, 3);
}

TYPED_TEST(ReactorTest, ReportsNothingWithoutInterestEvenAfterAHangUp) {
  Pair pair;
  Recorder handler;
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::none, &handler));
  pair.send();
  pair.close_far();
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  ASSERT_TRUE(this->reactor->modify(pair.near, Interest::read));
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  ASSERT_TRUE(this->reactor->modify(pair.near, Interest::none));
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  ASSERT_TRUE(this->reactor->remove(pair.near));
}

TYPED_TEST(ReactorTest, ShowsAHangUpAsTheInterest) {
  Pair reads, writes;
  Recorder reader, writer;
  reads.close_far();
  writes.close_far();
  ASSERT_TRUE(this->reactor->add(reads.near, Interest::read, &reader));
  ASSERT_TRUE(this->reactor->add(writes.near, Interest::write, &writer));
  EXPECT_EQ(this->reactor->run_once(for_ever), 2u);
  EXPECT_EQ(reader.last, Interest::read);
  EXPECT_EQ(writer.last, Interest::write);
}

TYPED_TEST(ReactorTest, AHandlerMayRemoveItself) {
  Pair pair;
  Recorder handler([&] { EXPECT_TRUE(this->reactor->remove(pair.near)); });
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(this->reactor->run_once(only_look), 0u);
  EXPECT_EQ(handler.calls, 1);
}

TYPED_TEST(ReactorTest, ARemovedHandlerIsNotCalledForAnEventThatWasAlreadyFetched) {
  std::array<Pair, 2> pairs;
  std::array<Recorder, 2> handlers{Recorder([&] { EXPECT_TRUE(this->reactor->remove(pairs[1].near)); }),
                                   Recorder([&] { EXPECT_TRUE(this->reactor->remove(pairs[0].near)); })};
  for (int i : {0, 1}) ASSERT_TRUE(this->reactor->add(pairs[i].near, Interest::read, &handlers[i]));
  for (const Pair& pair : pairs) pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(handlers[0].calls + handlers[1].calls, 1);
}

TYPED_TEST(ReactorTest, AWithdrawnInterestIsNotReportedForAnEventThatWasAlreadyFetched) {
  std::array<Pair, 2> pairs;
  std::array<Recorder, 2> handlers{
      Recorder([&] { EXPECT_TRUE(this->reactor->modify(pairs[1].near, Interest::none)); }),
      Recorder([&] { EXPECT_TRUE(this->reactor->modify(pairs[0].near, Interest::none)); })};
  for (int i : {0, 1}) ASSERT_TRUE(this->reactor->add(pairs[i].near, Interest::read, &handlers[i]));
  for (const Pair& pair : pairs) pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
}

TYPED_TEST(ReactorTest, AReusedNumberDoesNotGetTheEventsOfItsPredecessor) {
  std::array<Pair, 2> pairs;
  Pair idle;
  Recorder newcomer;
  const auto replace = [&](int which) {
    if (this->reactor->remove(pairs[1 - which].near)) pairs[1 - which].receive();
    const int number = pairs[which].near;
    EXPECT_TRUE(this->reactor->remove(number));
    ASSERT_EQ(::dup2(idle.near, number), number);
    EXPECT_TRUE(this->reactor->add(number, Interest::read, &newcomer));
  };
  std::array<Recorder, 2> handlers{Recorder([&] { replace(1); }), Recorder([&] { replace(0); })};
  for (int i : {0, 1}) ASSERT_TRUE(this->reactor->add(pairs[i].near, Interest::read, &handlers[i]));
  for (const Pair& pair : pairs) pair.send();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  EXPECT_EQ(newcomer.calls, 0);
  idle.send();
  this->reactor->run_once(for_ever);
  EXPECT_EQ(newcomer.calls, 1);
}

TYPED_TEST(ReactorTest, AHandlerMayAddOthers) {
  Pair first, second;
  Recorder added;
  Recorder adder([&] {
    first.receive();
    EXPECT_TRUE(this->reactor->add(second.near, Interest::read, &added));
  });
  ASSERT_TRUE(this->reactor->add(first.near, Interest::read, &adder));
  first.send();
  second.send();
  this->reactor->run_once(for_ever);
  this->reactor->run_once(for_ever);
  EXPECT_EQ(added.calls, 1);
}

TYPED_TEST(ReactorTest, SaysWhatIsWrongWithADescriptor) {
  Pair pair;
  Recorder handler;
  EXPECT_EQ(this->reactor->modify(pair.near, Interest::read).error(), ReactorError::not_added);
  EXPECT_EQ(this->reactor->remove(pair.near).error(), ReactorError::not_added);
  EXPECT_EQ(this->reactor->remove(-1).error(), ReactorError::not_added);
  EXPECT_EQ(this->reactor->add(-1, Interest::read, &handler).error(), ReactorError::unsupported);
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  EXPECT_EQ(this->reactor->add(pair.near, Interest::read, &handler).error(), ReactorError::already_added);
  const int file = ::open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(this->reactor->add(file, Interest::read, &handler).error(), ReactorError::unsupported);
  ::close(file);
  EXPECT_EQ(this->reactor->add(file, Interest::read, &handler).error(), ReactorError::unsupported);
}

TYPED_TEST(ReactorTest, DescriptorsThatAreAlwaysReadyDoNotStarveTheOthers) {
  constexpr int count = 300;
  std::vector<Pair> pairs(count);
  std::vector<Recorder> handlers(count);
  for (int i = 0; i < count; ++i) {
    ASSERT_TRUE(this->reactor->add(pairs[i].near, Interest::read, &handlers[i]));
    pairs[i].send();
  }
  for (int round = 0; round < count; ++round) this->reactor->run_once(for_ever);
  for (const Recorder& handler : handlers) EXPECT_GT(handler.calls, 0);
}

// More than a ring holds, since they are ready when they are added: the system keeps the others, and reports
// them later.
TYPED_TEST(ReactorTest, NoneOfVeryManyReadyDescriptorsIsForgotten) {
  constexpr int count = 5000;
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  limit.rlim_cur = limit.rlim_max;
  if (limit.rlim_max < count + 100 || ::setrlimit(RLIMIT_NOFILE, &limit) != 0)
    GTEST_SKIP() << "too few descriptors are allowed";
  std::vector<int> events(count);
  std::vector<Recorder> handlers;
  handlers.reserve(count);
  for (int& event : events) {
    event = ::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    ASSERT_GE(event, 0);
    handlers.emplace_back([event] {
      eventfd_t value;
      EXPECT_EQ(::eventfd_read(event, &value), 0);
    });
    ASSERT_TRUE(this->reactor->add(event, Interest::read, &handlers.back()));
  }
  for (int times = 1; times <= 2; ++times) {
    std::size_t called = 0;
    while (called < count) {
      const std::size_t of_round = this->reactor->run_once(std::chrono::seconds(5));
      ASSERT_NE(of_round, 0u) << called << " were called";
      called += of_round;
    }
    for (const Recorder& handler : handlers) ASSERT_EQ(handler.calls, times);
    EXPECT_EQ(this->reactor->run_once(only_look), 0u);
    for (const int event : events) ASSERT_EQ(::eventfd_write(event, 1), 0);
  }
  for (const int event : events) {
    ASSERT_TRUE(this->reactor->remove(event));
    ::close(event);
  }
}

// As when a process is killed: its descriptors are closed, and the reactor still has them.
TYPED_TEST(ReactorTest, HoldsNoPortOpenThatIsClosedWithoutAWord) {
  for (const int type : {SOCK_STREAM, SOCK_DGRAM}) {
    Port port(type);
    ASSERT_TRUE(port.is_open);
    Recorder handler;
    ASSERT_TRUE(this->reactor->add(port.fd, Interest::read, &handler));
    this->reactor->run_once(only_look);
    ::close(port.fd);
    const int successor = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(successor, port.generic(), port.size), 0);
    ::close(successor);
    this->reactor->remove(port.fd).value();
  }
}

TYPED_TEST(ReactorTest, TellsThatAPortHasClients) {
  Port port(SOCK_STREAM);
  ASSERT_TRUE(port.is_open);
  Recorder handler([&] { ::close(::accept(port.fd, nullptr, nullptr)); });
  ASSERT_TRUE(this->reactor->add(port.fd, Interest::read, &handler));
  for (int i = 1; i <= 5; ++i) {
    const int client = port.connect();
    EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
    EXPECT_EQ(handler.calls, i);
    EXPECT_EQ(this->reactor->run_once(only_look), 0u) << "there is no other client";
    ::close(client);
  }
  this->reactor->modify(port.fd, Interest::none).value();
  const int client = port.connect();
  EXPECT_EQ(this->reactor->run_once(only_look), 0u) << "nobody asks for clients";
  this->reactor->modify(port.fd, Interest::read).value();
  EXPECT_EQ(this->reactor->run_once(for_ever), 1u);
  ::close(client);
  this->reactor->remove(port.fd).value();
  ::close(port.fd);
}

TYPED_TEST(ReactorTest, AnEventCostsNoAllocation) {
  Pair pair;
  Recorder handler([&] { pair.receive(); });
  Recorder timer;
  ASSERT_TRUE(this->reactor->add(pair.near, Interest::read, &handler));
  const auto one_round = [&] {
    pair.send();
    this->reactor->cancel(this->reactor->schedule(Clock::now() + std::chrono::hours(1), &timer));
    this->reactor->schedule(Clock::now(), &timer);
    this->reactor->notify();
    this->reactor->modify(pair.near, Interest::none).value();
    this->reactor->modify(pair.near, Interest::read).value();
    this->reactor->run_once(for_ever);
  };
  one_round();
  const std::size_t before = allocations();
  for (int i = 0; i < 100; ++i) one_round();
  EXPECT_EQ(allocations(), before);
  EXPECT_EQ(handler.calls, 101);
  EXPECT_EQ(timer.calls, 101);
}

}  // namespace takt::os
