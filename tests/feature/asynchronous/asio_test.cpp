// Asynchronous calls in programs of Asio.
#include <optional>
#include <thread>

#include <takt/async/asio_executor.h>
#include <asio/awaitable.hpp>
#include <asio/bind_executor.hpp>
#include <asio/co_spawn.hpp>
#include <asio/experimental/awaitable_operators.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/use_future.hpp>

#include "../../eventually.h"
#include "greeter.h"

namespace feature {
namespace {

using GreeterRef = IDL::traits<Async::Greeter>::ref_type;
using takt::test::eventually;

struct OfAsio : testing::Test, AsyncOrbs {
  ~OfAsio() override { servant->open(); }
  void deliver_to(asio::io_context& context) {
    takt::use_async_settings(pair.client, {.delivery = takt::AsyncSettings::Delivery::executor,
                                           .executor = takt::asio_executor(context)});
  }
};

TEST_F(OfAsio, HandlersRunInTheContext) {
  asio::io_context context;
  deliver_to(context);
  greeter->sendc_twice(handler(), 1);
  greeter->sendc_refuse(handler(), "so");
  const auto work = asio::make_work_guard(context);
  while (outcomes.size() < 2) context.run_one();
  EXPECT_EQ(outcomes.threads(), std::vector(2, std::this_thread::get_id()));
  EXPECT_TRUE(none_under_way());
}

TEST_F(OfAsio, OutcomesOfAContextThatIsDestroyedAreOfAThreadOfTheOrb) {
  struct Counted : takt::Executor {
    explicit Counted(asio::io_context& context) : to(takt::asio_executor(context)) {}
    void post(takt::Completion completion) override {
      to->post(std::move(completion));
      ++posted;
    }
    const std::shared_ptr<takt::Executor> to;
    std::atomic<int> posted{0};
  };
  std::optional<asio::io_context> context(std::in_place);
  const auto counted = std::make_shared<Counted>(*context);
  takt::use_async_settings(pair.client,
                           {.delivery = takt::AsyncSettings::Delivery::executor, .executor = counted});
  context->stop();
  auto first = greeter->async_twice(1), second = greeter->async_twice(2);
  EXPECT_TRUE(eventually([&] { return counted->posted == 2; }));
  EXPECT_EQ(context->run_one(), 0u);
  EXPECT_FALSE(first.is_ready() || second.is_ready());
  context->restart();
  EXPECT_EQ(context->run_one(), 1u);
  EXPECT_NE(first.is_ready(), second.is_ready());
  context.reset();
  EXPECT_EQ(first.get(), 2);
  EXPECT_EQ(second.get(), 4);
}

asio::awaitable<int> sum_of_two(GreeterRef greeter) {
  auto first = greeter->async_twice(1), second = greeter->async_twice(2);
  co_await takt::asio_wait(first, asio::use_awaitable);
  auto none = greeter->async_set_name("another");
  co_await takt::asio_wait(none, asio::use_awaitable);
  auto several = greeter->async_greet("you", 3);
  const auto [text, n, numbers] = co_await takt::asio_wait(several, asio::use_awaitable);
  EXPECT_EQ(text, "hello you");
  EXPECT_EQ(n, -3);
  co_return co_await takt::asio_wait(second, asio::use_awaitable);
}

TEST_F(OfAsio, CoroutinesWaitForCalls) {
  for (const bool by_executor : {true, false}) {
    asio::io_context context;
    takt::use_async_settings(pair.client, {});
    if (by_executor) deliver_to(context);
    auto sum = asio::co_spawn(context, sum_of_two(greeter), asio::use_future);
    const auto work = asio::make_work_guard(context);
    while (sum.wait_for(0s) != std::future_status::ready) context.run_one_for(10ms);
    EXPECT_EQ(sum.get(), 4);
    takt::use_async_settings(pair.client, {});
  }
}

TEST_F(OfAsio, AWaitForACallThatHasEndedEndsLater) {
  asio::io_context context;
  auto call = greeter->async_twice(3);
  EXPECT_TRUE(eventually([&] { return call.is_ready(); }));
  bool over = false;
  takt::asio_wait(call, asio::bind_executor(context, [&](std::exception_ptr how, std::int32_t result) {
                    EXPECT_EQ(how, nullptr);
                    EXPECT_EQ(result, 6);
                    over = true;
                  }));
  EXPECT_FALSE(over) << "not in the function that begins the wait";
  EXPECT_EQ(context.run(), 1u);
  EXPECT_TRUE(over);
}

TEST_F(OfAsio, WaitsAreWorkOfTheContext) {
  asio::io_context context;
  auto call = greeter->async_wait_at_gate();
  std::exception_ptr failure = std::make_exception_ptr(1);
  takt::asio_wait(call, asio::bind_executor(context, [&](std::exception_ptr how) { failure = how; }));
  EXPECT_EQ(context.run_for(10ms), 0u) << "it waits";
  EXPECT_FALSE(context.stopped());
  servant->open();
  EXPECT_EQ(context.run(), 1u);
  EXPECT_EQ(failure, nullptr);
}

asio::awaitable<void> refused(GreeterRef greeter) {
  auto call = greeter->async_refuse("because");
  co_await takt::asio_wait(call, asio::use_awaitable);
}

TEST_F(OfAsio, ExceptionsReachCoroutines) {
  asio::io_context context;
  auto done = asio::co_spawn(context, refused(greeter), asio::use_future);
  context.run();
  EXPECT_THROW(done.get(), Async::Refused);
}

asio::awaitable<std::size_t> first_of_call_and_timer(GreeterRef greeter) {
  using namespace asio::experimental::awaitable_operators;
  asio::steady_timer timer(co_await asio::this_coro::executor, 20ms);
  auto call = greeter->async_wait_at_gate();
  const auto first =
      co_await (takt::asio_wait(call, asio::use_awaitable) || timer.async_wait(asio::use_awaitable));
  EXPECT_TRUE(call.get_outcome().cancelled());
  co_return first.index();
}

TEST_F(OfAsio, ATimerEndsACall) {
  asio::io_context context;
  auto done = asio::co_spawn(context, first_of_call_and_timer(greeter), asio::use_future);
  context.run();
  EXPECT_EQ(done.get(), 1u);
  EXPECT_TRUE(none_under_way());
}

}  // namespace
}  // namespace feature
