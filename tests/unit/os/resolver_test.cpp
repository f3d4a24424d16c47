#include "os/net/resolver.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

#include "os/poll/interruption.h"

namespace takt::os {

using namespace std::chrono_literals;

namespace {
std::expected<AddressList, ResolveError> an_answer() { return AddressList{*Address::parse("192.0.2.1", 0)}; }
}  // namespace

TEST(Resolver, ConvertsNumbersWithoutLookingThemUp) {
  Resolver resolver(1, [](const std::string&) -> std::expected<AddressList, ResolveError> {
    ADD_FAILURE();
    return AddressList();
  });
  for (const char* host : {"127.0.0.1", "::1", "0.0.0.0"}) {
    const auto addresses = resolver.resolve(host, 9, Clock::now() - 1h);
    ASSERT_TRUE(addresses) << host;
    EXPECT_EQ(addresses->at(0).host_text(), host);
    EXPECT_EQ(addresses->at(0).port(), 9);
  }
}

TEST(Resolver, SaysThatAnAddressHasAnInterfaceOfAnotherMachine) {
  Resolver resolver(1, [](const std::string&) -> std::expected<AddressList, ResolveError> {
    ADD_FAILURE();
    return AddressList();
  });
  const auto addresses = resolver.resolve("fe80::1%elsewhere0", 9, Clock::now() + 1h);
  ASSERT_FALSE(addresses);
  EXPECT_NE(addresses.error().text.find("no interface of that name"), std::string::npos)
      << addresses.error().text;
}

TEST(Resolver, FindsLocalhostWhateverElseIsConfigured) {
  Resolver resolver;
  const auto addresses = resolver.resolve("localhost", 9, Clock::now() + 30s);
  ASSERT_TRUE(addresses) << addresses.error().text;
  for (const Address& address : *addresses) {
    EXPECT_TRUE(address.is_loopback()) << address.text();
    EXPECT_EQ(address.port(), 9);
  }
}

TEST(Resolver, SaysWhichHostIsUnknown) {
  Resolver resolver(1, [](const std::string& host) -> std::expected<AddressList, ResolveError> {
    return std::unexpected(ResolveError{ENOENT, "no " + host});
  });
  const auto addresses = resolver.resolve("nowhere.example", 9, no_deadline);
  ASSERT_FALSE(addresses);
  EXPECT_EQ(addresses.error().error, ENOENT);
  EXPECT_NE(addresses.error().text.find("nowhere.example"), std::string::npos);
}

TEST(Resolver, RefusesWhatIsNoName) {
  Resolver resolver;
  EXPECT_EQ(resolver.resolve("", 9, no_deadline).error().error, EINVAL);
  EXPECT_EQ(resolver.resolve(std::string_view("a\0b", 3), 9, no_deadline).error().error, EINVAL);
}

TEST(Resolver, LeavesAtTheDeadlineWhileTheLookUpGoesOn) {
  auto may_end = std::make_shared<std::binary_semaphore>(0);
  auto ended = std::make_shared<std::latch>(1);
  {
    const auto look_up = [=](const std::string&) {
      may_end->acquire();
      ended->count_down();
      return an_answer();
    };
    Resolver resolver(1, look_up, 0);
    const auto stuck = resolver.resolve("slow.example", 9, Clock::now() + 2ms);
    ASSERT_FALSE(stuck);
    EXPECT_EQ(stuck.error().error, ETIMEDOUT);
    // All lookup slots are taken, so another host has to wait.
    const auto waiting = resolver.resolve("other.example", 9, Clock::now() + 2ms);
    ASSERT_FALSE(waiting);
    EXPECT_EQ(waiting.error().error, ETIMEDOUT);
    EXPECT_NE(waiting.error().text.find("it was not begun, since the look-ups of 1 other hosts"),
              std::string::npos)
        << waiting.error().text;
  }
  may_end->release();
  ended->wait();
}

// Names of a peer, which its name server never answers.
struct SilentNames {
  std::shared_ptr<std::counting_semaphore<>> may_end = std::make_shared<std::counting_semaphore<>>(0);
  Resolver resolver{8,
                    [may_end = may_end](const std::string& host) {
                      if (host.starts_with("silent")) may_end->acquire();
                      return an_answer();
                    },
                    4};
  ~SilentNames() { may_end->release(100); }
  int error_of(const std::string& host, std::chrono::nanoseconds time) {
    const auto answer = resolver.resolve(host, 9, Clock::now() + time);
    return answer ? 0 : answer.error().error;
  }
};

TEST(Resolver, LookUpsThatAreGivenUpLeaveTheirTurns) {
  SilentNames names;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(names.error_of("silent" + std::to_string(i), 1ms), ETIMEDOUT);
  EXPECT_EQ(names.error_of("healthy", 10s), 0);
}

TEST(Resolver, AHostThatWasFoundNeedsNoTurn) {
  SilentNames names;
  EXPECT_EQ(names.error_of("healthy", 10s), 0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(names.error_of("silent" + std::to_string(i), 1ms), ETIMEDOUT);
  EXPECT_EQ(names.error_of("another", 1ms), ETIMEDOUT) << "more look-ups run than are allowed";
  EXPECT_EQ(names.error_of("healthy", 10s), 0);
}

TEST(Resolver, AnInterruptionEndsItWithoutADeadline) {
  auto may_end = std::make_shared<std::binary_semaphore>(0);
  Resolver resolver(1, [may_end](const std::string&) {
    may_end->acquire();
    return an_answer();
  });
  std::atomic<bool> stop{false};
  const Interruption interruption(
      [](const void* flag) noexcept { return static_cast<const std::atomic<bool>*>(flag)->load(); }, &stop);
  std::jthread stops([&] {
    std::this_thread::sleep_for(20ms);
    stop = true;
  });
  EXPECT_EQ(resolver.resolve("slow.example", 9, no_deadline).error().error, ETIMEDOUT);
  may_end->release();
}

TEST(Resolver, ALookUpThatThrowsFails) {
  Resolver resolver(
      1, [](const std::string&) -> std::expected<AddressList, ResolveError> { throw std::bad_alloc(); });
  EXPECT_EQ(resolver.resolve("host", 9, Clock::now() + 10s).error().error, ENOMEM);
}

TEST(Resolver, SharesTheLookUpOfOneHost) {
  auto lookups = std::make_shared<std::atomic<int>>(0);
  auto may_end = std::make_shared<std::counting_semaphore<>>(0);
  Resolver resolver(8, [=](const std::string&) {
    ++*lookups;
    may_end->acquire();
    return an_answer();
  });
  EXPECT_EQ(resolver.resolve("slow.example", 1, Clock::now() + 2ms).error().error, ETIMEDOUT);
  EXPECT_EQ(resolver.resolve("slow.example", 2, Clock::now() + 2ms).error().error, ETIMEDOUT);
  std::thread third(
      [&] { EXPECT_EQ(resolver.resolve("slow.example", 3, no_deadline).value().at(0).port(), 3); });
  may_end->release(2);  // the second is for the third caller's own lookup, if it came too late to share
  third.join();
  EXPECT_LE(*lookups, 2);
}

TEST(Resolver, ManyThreadsGetTheirAnswersThroughFewTurns) {
  Resolver resolver(2, [](const std::string&) { return an_answer(); });
  std::vector<std::thread> threads;
  for (int i = 0; i < 16; ++i)
    threads.emplace_back([&resolver, i] {
      const auto port = static_cast<std::uint16_t>(i + 1);
      const auto answer = resolver.resolve("host" + std::to_string(i % 5), port, no_deadline);
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->at(0).port(), port);
    });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace takt::os
