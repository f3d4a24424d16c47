// Asynchronous calls as objects: coroutines, futures, and threads that wait later.
#include <future>

#include <takt/async/pending.h>
#include <takt/reference/quality.h>

#include "../../eventually.h"
#include "greeter.h"
#include "job.h"

namespace feature {
namespace {

using takt::test::eventually;

struct PendingCalls : testing::Test, AsyncOrbs {};

TEST_F(PendingCalls, GiveCoroutinesTheirResults) {
  const auto job = [](auto greeter) -> Job {
    EXPECT_EQ(co_await greeter->async_twice(4), 8);
    const auto [text, n, numbers] = co_await greeter->async_greet("you", 3);
    EXPECT_EQ(text, "hello you");
    EXPECT_EQ(n, -3);
    EXPECT_EQ(numbers, (Async::Longs{3, 4}));
    co_await greeter->async_set_name("another");
    EXPECT_EQ(co_await greeter->async_get_name(), "another");
  };
  auto ended = job(greeter).ended;
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  ended.get();
}

TEST_F(PendingCalls, ThrowIntoCoroutines) {
  const auto job = [](auto greeter) -> Job {
    try {
      co_await greeter->async_refuse("because");
      ADD_FAILURE() << "nothing was thrown";
    } catch (const Async::Refused& refused) {
      EXPECT_EQ(refused.why(), "because");
    }
    co_await greeter->async_fail();
  };
  auto ended = job(greeter).ended;
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  EXPECT_THROW(ended.get(), CORBA::NO_RESOURCES);
}

TEST_F(PendingCalls, StartedTogetherAreUnderWayTogether) {
  const auto job = [](auto greeter, auto servant) -> Job {
    auto first = greeter->async_wait_at_gate();
    auto second = greeter->async_wait_at_gate();
    auto third = greeter->async_twice(1);
    EXPECT_TRUE(servant->has_waiting(2));
    servant->open();
    co_await second;
    co_await first;
    EXPECT_EQ(co_await third, 2);
  };
  auto ended = job(greeter, servant).ended;
  ASSERT_EQ(ended.wait_for(20s), std::future_status::ready);
  ended.get();
}

TEST_F(PendingCalls, AreWaitedForByThreads) {
  auto call = greeter->async_twice(5);
  EXPECT_EQ(call.get(), 10);
  auto refused = greeter->async_refuse("r");
  EXPECT_THROW(refused.get(), Async::Refused);
  auto waits = greeter->async_wait_at_gate();
  EXPECT_FALSE(waits.is_ready());
  servant->open();
  waits.get();
  EXPECT_TRUE(waits.is_ready());
}

TEST_F(PendingCalls, BecomeFutures) {
  std::future<std::int32_t> twice = greeter->async_twice(6).future();
  std::future<void> refused = greeter->async_refuse("f").future();
  ASSERT_EQ(twice.wait_for(20s), std::future_status::ready);
  EXPECT_EQ(twice.get(), 12);
  EXPECT_THROW(refused.get(), Async::Refused);
  auto over = greeter->async_twice(7);
  EXPECT_TRUE(eventually([&] { return over.is_ready(); }));
  EXPECT_EQ(over.future().get(), 14);
  auto failed = greeter->async_fail();
  EXPECT_TRUE(eventually([&] { return failed.is_ready(); }));
  EXPECT_THROW(failed.future().get(), CORBA::NO_RESOURCES);
}

TEST_F(PendingCalls, BecomeFuturesWithoutWaiting) {
  auto waits = greeter->async_wait_at_gate();
  std::future<void> gate = waits.future();
  std::future<void> other = greeter->async_wait_at_gate().future();
  EXPECT_THROW(static_cast<void>(waits.future()), std::future_error);
  EXPECT_THROW(waits.get(), std::future_error) << "the future has the outcome";
  auto awaited = [](auto& call) -> Job { co_await call; }(waits).ended;
  ASSERT_EQ(awaited.wait_for(10s), std::future_status::ready);
  EXPECT_THROW(awaited.get(), std::future_error);
  EXPECT_TRUE(servant->has_waiting(2));
  EXPECT_EQ(other.wait_for(0s), std::future_status::timeout);
  servant->open();
  EXPECT_EQ(gate.wait_for(10s), std::future_status::ready);
  EXPECT_EQ(other.wait_for(10s), std::future_status::ready);
}

TEST_F(PendingCalls, MayBeDroppedAtAnyTime) {
  for (int i = 0; i < 500; ++i) {
    auto dropped = greeter->async_twice(i);
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i % 50));
  }
  {
    const auto dropped = greeter->async_wait_at_gate();
  }
  servant->open();
  EXPECT_TRUE(none_under_way());
}

TEST_F(PendingCalls, MayBecomeFuturesAtAnyTime) {
  for (int i = 0; i < 500; ++i) {
    auto call = greeter->async_twice(i);
    if (i % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(i % 50));
    EXPECT_EQ(call.future().get(), 2 * i);
  }
}

TEST_F(PendingCalls, ThatCannotBeSentThrowAtOnce) {
  const takt::DeadlineScope passed(-1ms);
  EXPECT_THROW(static_cast<void>(greeter->async_twice(1)), CORBA::TIMEOUT);
  EXPECT_TRUE(none_under_way());
}

TEST_F(PendingCalls, OfADestroyedOrbEnd) {
  auto waits = greeter->async_wait_at_gate();
  pair.client->shutdown(false);
  EXPECT_THROW(waits.get(), CORBA::BAD_INV_ORDER);
  servant->open();
}

TEST_F(PendingCalls, ResumeManyCoroutinesAtOnce) {
  const auto job = [](auto greeter, int n) -> Job {
    for (int i = 0; i < 20; ++i) EXPECT_EQ(co_await greeter->async_twice(n + i), 2 * (n + i));
  };
  std::vector<std::future<void>> all;
  for (int n = 0; n < 100; ++n) all.push_back(job(greeter, n).ended);
  for (auto& one : all) {
    ASSERT_EQ(one.wait_for(20s), std::future_status::ready);
    one.get();
  }
}

}  // namespace
}  // namespace feature
