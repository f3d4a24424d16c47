// Asynchronous calls in programs of Asio (the package libasio-dev): their handlers run in an io_context, and
// Asio's coroutines wait for them. Takt itself does not need Asio; without its headers, this one declares
// nothing.
//
//   asio::io_context context;
//   takt::use_async_settings(orb, {.delivery = takt::AsyncSettings::Delivery::executor,
//                                  .executor = takt::asio_executor(context)});
//
//   asio::awaitable<std::string> greet(IDL::traits<Greeter>::ref_type greeter) {
//     auto call = greeter->async_greet("world");
//     co_return co_await takt::asio_wait(call, asio::use_awaitable);
//   }
#pragma once

#if __has_include(<asio/io_context.hpp>)

#include <atomic>
#include <coroutine>
#include <exception>
#include <memory>
#include <type_traits>
#include <utility>

#include <asio/associated_cancellation_slot.hpp>
#include <asio/async_result.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/post.hpp>

#include <takt/async/pending.h>
#include <takt/async/settings.h>

namespace takt {

namespace async::detail {

// Posts `run`, which begins when this thread has left the context, so that it may be the last before the
// context is destroyed.
template <class To, class Run>
void post_and_leave(To&& to, Run run) {
  const auto left = std::make_shared<std::atomic_flag>();
  asio::post(to, [run = std::move(run), left]() mutable {
    left->wait(false);
    run();
  });
  left->test_and_set();
  left->notify_one();
}

class AsioExecutor final : public Executor {
 public:
  explicit AsioExecutor(asio::io_context& context) : context_(context) {}
  void post(Completion completion) override {
    post_and_leave(context_, [completion = std::move(completion)]() mutable { completion(); });
  }

 private:
  asio::io_context& context_;
};

// A coroutine without a waiter.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }  // as in a thread
  };
};

template <class Call, class Handler>
Detached give_to_asio(Call& call, Handler handler) {
  auto work = asio::make_work_guard(handler);
  auto slot = asio::get_associated_cancellation_slot(handler);
  if (slot.is_connected()) slot.assign([&call](asio::cancellation_type) { call.cancel(); });
  auto outcome = co_await call.outcome();
  // Not dispatched, because the call may have ended in the function that begins the wait. The lambda has the
  // guard, which must not be released after the post.
  const auto executor = work.get_executor();
  post_and_leave(executor, [handler = std::move(handler), outcome = std::move(outcome), slot,
                            work = std::move(work)]() mutable {
    if (slot.is_connected()) slot.clear();
    if constexpr (std::is_void_v<typename Call::Result>) {
      std::move(handler)(outcome.error());
    } else {
      typename Call::Result result{};
      if (outcome) result = std::move(outcome.value());
      std::move(handler)(outcome.error(), std::move(result));
    }
  });
}

template <class Result>
struct WaitSignature {
  using type = void(std::exception_ptr, Result);
};
template <>
struct WaitSignature<void> {
  using type = void(std::exception_ptr);
};

}  // namespace async::detail

// Runs the outcomes of calls in the threads that run the context, which must outlive the calls that are under
// way when the settings change. Outcomes count as work of the context only when they are there, so that run()
// may return before: keep an asio::executor_work_guard. A context that has stopped keeps them until it is
// restarted; one that is destroyed leaves them to a thread of the ORB.
inline std::shared_ptr<Executor> asio_executor(asio::io_context& context) {
  return std::make_shared<async::detail::AsioExecutor>(context);
}

// Waits for the call in the way of any completion token, such as asio::use_awaitable, a callback or
// asio::use_future. The signature is void(std::exception_ptr, Result), or void(std::exception_ptr) without
// results. The handler runs in its associated executor, whichever thread delivers the outcome. The wait is
// work of that executor, whose context must outlive it. Asio's cancellation cancels the call, as for `||` of
// asio/experimental/awaitable_operators.hpp. `call` must live until then; use it for one wait. Allocates.
template <class Op, class Token>
auto asio_wait(async::Pending<Op>& call, Token&& token) {
  using Call = async::Pending<Op>;
  using Signature = typename async::detail::WaitSignature<typename Call::Result>::type;
  return asio::async_initiate<Token, Signature>(
      [](auto handler, Call* of) { async::detail::give_to_asio(*of, std::move(handler)); }, token, &call);
}

}  // namespace takt

#endif
