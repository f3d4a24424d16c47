// An asynchronous call as an object: for coroutines, futures, and threads that wait later.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <new>
#include <optional>
#include <stop_token>
#include <tuple>
#include <type_traits>
#include <utility>

#include <takt/async/outcome.h>
#include <takt/async/send.h>

namespace takt::async {

namespace detail {

// The result; a tuple of result, inout and out values if there are several; void if there are none.
template <class... T>
struct ResultOf {
  using Type = std::tuple<T...>;
};
template <class T>
struct ResultOf<T> {
  using Type = T;
};
template <>
struct ResultOf<> {
  using Type = void;
};
template <class Tuple>
struct ResultOfTuple;
template <class... T>
struct ResultOfTuple<std::tuple<T&...>> {
  using Type = typename ResultOf<T...>::Type;
};

// Gets the outcome of a call, once.
template <class Result>
class Receiver {
 public:
  // The result as it is stored: a void result is Nothing.
  using Kept = std::conditional_t<std::is_void_v<Result>, Nothing, Result>;
  // Return the coroutine that waits for the outcome; null if there is none.
  virtual std::coroutine_handle<> receive(Kept&& result) = 0;
  virtual std::coroutine_handle<> receive(const std::exception_ptr& failure) = 0;

 protected:
  ~Receiver() = default;
};

template <class Result>
class PromiseReceiver final : public Receiver<Result> {
 public:
  using typename Receiver<Result>::Kept;
  std::future<Result> future() { return promise_.get_future(); }
  // Both delete this.
  std::coroutine_handle<> receive([[maybe_unused]] Kept&& result) override {
    const std::unique_ptr<PromiseReceiver> own(this);
    if constexpr (std::is_void_v<Result>)
      promise_.set_value();
    else
      promise_.set_value(std::move(result));
    return {};
  }
  std::coroutine_handle<> receive(const std::exception_ptr& failure) override {
    const std::unique_ptr<PromiseReceiver> own(this);
    promise_.set_exception(failure);
    return {};
  }

 private:
  std::promise<Result> promise_;
};

// Connects a call with its receiver. Lies in the memory of the call, which both keep alive.
template <class Result>
class ReceiverLink {
 public:
  using To = Receiver<Result>;
  explicit ReceiverLink(To* to) : to_(to) {}
  ReceiverLink(ReceiverLink&& from) noexcept : to_(from.to_.load()) {}

  template <class... Results>
  void succeed(Results&... results) {
    deliver([&](To& to) {
      if constexpr (sizeof...(Results) == 0)
        return to.receive(Nothing{});
      else
        return to.receive(typename To::Kept(std::move(results)...));
    });
  }
  void fail(const std::exception_ptr& failure) {
    deliver([&](To& to) { return to.receive(failure); });
  }
  // Replaces the receiver. False: the outcome was delivered to the old one, completely.
  bool replace(To* old, To* by) {
    To* found = old;
    if (to_.compare_exchange_strong(found, by)) return true;
    while (found != done()) {
      if (found == busy() && !to_.compare_exchange_strong(found, awaited())) continue;
      to_.wait(awaited());
      found = to_.load();
    }
    return false;
  }

 private:
  // Addresses that no receiver has.
  static To* busy() { return reinterpret_cast<To*>(std::uintptr_t{1}); }
  static To* done() { return reinterpret_cast<To*>(std::uintptr_t{2}); }
  // Like busy(), and a thread waits for done().
  static To* awaited() { return reinterpret_cast<To*>(std::uintptr_t{3}); }

  template <class Give>
  void deliver(const Give& give) {
    To* const to = to_.exchange(busy());
    const std::coroutine_handle<> waiting = to ? give(*to) : nullptr;
    // Unless a coroutine waits, the receiver may be destroyed from now on.
    if (to_.exchange(done()) == awaited()) to_.notify_all();
    if (waiting) waiting.resume();
  }

  std::atomic<To*> to_;
};

}  // namespace detail

// One call of the operation, which the constructor has sent. It stays where it was made: generated functions
// return it, for a variable or for an expression.
//
//   std::string text = co_await greeter->async_greet("world");
//   auto first = greeter->async_greet("a"), second = greeter->async_greet("b");  // both are under way
//   use(co_await first, co_await second);
//   std::future<std::string> later = greeter->async_greet("c").future();
//   auto outcome = co_await greeter->async_greet("d").stopped_by(token).outcome();  // throws nothing
//
// A coroutine goes on in the thread that delivers the outcome (takt::AsyncSettings). One thread at a time may
// use it. Use only one of co_await, get() and future() for a call. Destroying it drops the outcome. Only
// future() allocates to wait. In a thread with a run loop (<takt/async/run_loop.h>), a call may be
// sent only when something waits for it, and its coroutine goes on in that thread.
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
class [[nodiscard]] Pending<Operation<Name, R(P...), Exceptions, Kind>> final
    : private detail::Receiver<
          typename detail::ResultOfTuple<decltype(std::declval<detail::Values<R, P...>&>().results())>::Type>,
      private KeptCall {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;

 public:
  // The result; if there are several values, a tuple: the result unless void, then inout and out values.
  using Result =
      typename detail::ResultOfTuple<decltype(std::declval<detail::Values<R, P...>&>().results())>::Type;

  // Sends the call. Throws what sendc_ throws.
  template <class... Arguments>
  explicit Pending(const CORBA::Object& target, const Arguments&... arguments) {
    if (KeptCall::begin(target, kept_type)) {
      CallOf<Op, Link>::encode_kept(*this, arguments...);
      began_in_loop_ = true;
      return;
    }
    Link* link = nullptr;
    call_ = CallOf<Op, Link>::send_held(target, Link(this), link, arguments...);
    link_ = link;
  }
  ~Pending() {
    stop_.reset();  // waits until a callback that runs in another thread has ended
    if (is_kept()) KeptCall::send();
    if (link_) link_->replace(this, nullptr);
  }
  Pending(const Pending&) = delete;
  Pending& operator=(const Pending&) = delete;

  bool is_ready() {
    if (is_kept()) KeptCall::send();
    return has_outcome();
  }
  // Waits for the outcome: returns the results, or throws what a synchronous call throws. Must not be called
  // in a thread that delivers outcomes, except the thread of a run loop.
  Result get() {
    wait();
    return take();
  }
  // Does not wait. Throws std::future_error the second time.
  std::future<Result> future() {
    if (is_kept()) KeptCall::send();
    if (retrieved_) throw std::future_error(std::future_errc::future_already_retrieved);
    retrieved_ = true;
    auto receiver = std::make_unique<detail::PromiseReceiver<Result>>();
    std::future<Result> future = receiver->future();
    const bool comes_later = link_ && std::exchange(link_, nullptr)->replace(this, receiver.get());
    Base& to = *receiver.release();  // deletes itself
    if (comes_later) {
      call_.leave_loop();
      return future;
    }
    if (failure_)
      to.receive(failure_);
    else
      to.receive(std::move(*result_));
    return future;
  }

  // Ends the call as cancelled (TRANSIENT, OMG minor 3), unless it has ended. Any thread, while this object
  // lives.
  void cancel() noexcept {
    if (began_in_loop_ && (cancelling_.fetch_or(wanted) & sent) == 0) return;
    call_.cancel();
  }
  // Cancels the call when the token is stopped, while this object lives. Call once at most.
  Pending& stopped_by(std::stop_token token) {
    if (is_kept()) KeptCall::send();
    stop_.emplace(std::move(token), Cancelling{call_});
    return *this;
  }
  // To be awaited in place of the call: gives an Outcome<Result>, and throws no exception of the call.
  auto outcome() {
    struct Gives : Awaiter {
      Outcome<Result> await_resume() { return this->call.take_outcome(); }
    };
    return Gives{{*this}};
  }
  // Like get(), but throws no exception of the call.
  Outcome<Result> get_outcome() {
    wait();
    return take_outcome();
  }

  auto operator co_await() {
    struct Gives : Awaiter {
      Result await_resume() { return this->call.take(); }
    };
    return Gives{{*this}};
  }

 private:
  using Base = detail::Receiver<Result>;
  using typename Base::Kept;
  using Link = detail::ReceiverLink<Result>;
  struct Awaiter {
    bool await_ready() const {
      if (call.is_kept()) call.settle_kept();
      return call.has_outcome();
    }
    bool await_suspend(std::coroutine_handle<> waiting) {
      if (call.began_with_loop()) [[unlikely]]
        call.is_kept() ? call.KeptCall::note_awaited() : call.call_.note_awaited();
      void* none = nullptr;
      return call.waiting_.compare_exchange_strong(none, waiting.address());
    }
    Pending& call;
  };
  struct Cancelling {
    const HeldCall& call;
    void operator()() const noexcept { call.cancel(); }
  };

  // Called by the run loop that keeps the call.
  static void make_kept(KeptCall& kept) noexcept {
    Pending& call = static_cast<Pending&>(kept);
    if (call.cancelling_.load(std::memory_order_relaxed) != 0) [[unlikely]]
      return kept.send();
    call.settle([&] { return call.make(); });
    call.end_in_loop();
  }
  static void fail_kept(KeptCall& kept, const std::exception_ptr& failure) noexcept {
    Pending& call = static_cast<Pending&>(kept);
    call.failure_ = failure;
    call.end_in_loop();
  }
  // The loop resumes the coroutine that waits, if there is one.
  void end_in_loop() noexcept {
    if (void* const waiting = waiting_.exchange(over()))
      resume_later(std::coroutine_handle<>::from_address(waiting));
  }
  static void move_sink(KeptCall& kept, void* to, HeldCall&& held) noexcept {
    Pending& call = static_cast<Pending&>(kept);
    call.link_ = ::new (to) Link(&call);
    call.call_ = std::move(held);
    if (call.cancelling_.fetch_or(sent) & wanted) call.call_.cancel();
  }
  static constexpr KeptType kept_type{CallOf<Op, Link>::type, true, &make_kept, &fail_kept, &move_sink};
  // For cancelling by other threads.
  static constexpr unsigned char wanted = 1, sent = 2;

  // Called before the coroutine waits: makes the call if the loop has no other.
  void settle_kept() {
    if (cancelling_.load(std::memory_order_relaxed) != 0) [[unlikely]] {
      if (is_of_this_thread()) KeptCall::send();
      return;
    }
    if (settle([this] { return make_if_alone(); })) waiting_.store(over(), std::memory_order_relaxed);
  }
  template <class Make>
  [[gnu::always_inline]] bool settle(const Make& make) {
    detail::Values<R, P...> values;
    if (!CallOf<Op, Link>::make_kept(*this, make, values, failure_)) return false;
    KeptCall::end();
    if (!failure_) [[likely]]
      std::apply([&](auto&... results) { result_.emplace(std::move(results)...); }, values.results());
    return true;
  }
  bool has_outcome() const { return waiting_.load() == over(); }

  // Values of `waiting_` that are not addresses of coroutines: the call is over; a thread waits.
  static void* over() { return reinterpret_cast<void*>(std::uintptr_t{1}); }
  static void* thread() { return reinterpret_cast<void*>(std::uintptr_t{2}); }

  std::coroutine_handle<> receive(Kept&& result) override {
    result_.emplace(std::move(result));
    return end();
  }
  std::coroutine_handle<> receive(const std::exception_ptr& failure) override {
    failure_ = failure;
    return end();
  }
  std::coroutine_handle<> end() {
    void* const waiting = waiting_.exchange(over());
    if (waiting != thread()) return waiting ? std::coroutine_handle<>::from_address(waiting) : nullptr;
    waiting_.notify_all();
    return nullptr;
  }
  void wait() {
    if (is_kept() && is_of_this_thread()) make_kept(*this);
    if (is_kept()) KeptCall::send();
    call_.leave_loop();
    void* found = nullptr;
    if (!waiting_.compare_exchange_strong(found, thread()) && found == over()) return;
    while (waiting_.load() != over()) waiting_.wait(thread());
  }
  Outcome<Result> take_outcome() {
    return failure_ ? Outcome<Result>(failure_) : Outcome<Result>(std::move(*result_));
  }
  Result take() {
    if (failure_) std::rethrow_exception(failure_);
    if constexpr (!std::is_void_v<Result>) return std::move(*result_);
  }

  HeldCall call_;
  Link* link_ = nullptr;        // null while a loop keeps the call, or once a future gets its outcome
  bool began_in_loop_ = false;  // a loop has kept the call
  bool retrieved_ = false;      // future() was called
  std::atomic<unsigned char> cancelling_{0};
  std::atomic<void*> waiting_{nullptr};  // the coroutine that waits
  std::optional<Kept> result_;
  std::exception_ptr failure_;
  std::optional<std::stop_callback<Cancelling>> stop_;
};

}  // namespace takt::async
