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

// Gets the outcome of a call, once. The functions return the coroutine that waits for it; null if there is
// none.
class FailureReceiver {
 public:
  virtual std::coroutine_handle<> receive(const std::exception_ptr& failure) = 0;

 protected:
  ~FailureReceiver() = default;
};
template <class Result>
class Receiver : public FailureReceiver {
 public:
  using FailureReceiver::receive;
  virtual std::coroutine_handle<> receive(Kept<Result>&& result) = 0;

 protected:
  ~Receiver() = default;
};

template <class Result>
class PromiseReceiver final : public Receiver<Result> {
 public:
  std::future<Result> future() { return promise_.get_future(); }
  // Both delete this.
  std::coroutine_handle<> receive([[maybe_unused]] Kept<Result>&& result) override {
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
class FailureLink {
 public:
  using To = FailureReceiver;
  explicit FailureLink(To* to) : to_(to) {}
  FailureLink(FailureLink&& from) noexcept : to_(from.to_.load()) {}

  void fail(const std::exception_ptr& failure) {
    To* const to = begin();
    end(to ? to->receive(failure) : nullptr);
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

 protected:
  // Around a delivery: begin() returns the receiver; null if there is none.
  To* begin() { return to_.exchange(busy()); }
  void end(std::coroutine_handle<> waiting) {
    // Unless a coroutine waits, the receiver may be destroyed from now on.
    if (to_.exchange(done()) == awaited()) to_.notify_all();
    if (waiting) waiting.resume();
  }

 private:
  // Addresses that no receiver has.
  static To* busy() { return reinterpret_cast<To*>(std::uintptr_t{1}); }
  static To* done() { return reinterpret_cast<To*>(std::uintptr_t{2}); }
  // Like busy(), and a thread waits for done().
  static To* awaited() { return reinterpret_cast<To*>(std::uintptr_t{3}); }

  std::atomic<To*> to_;
};
template <class Result>
class ReceiverLink : public FailureLink {
 public:
  explicit ReceiverLink(Receiver<Result>* to) : FailureLink(to) {}

  template <class... Results>
  void succeed(Results&... results) {
    auto* const to = static_cast<Receiver<Result>*>(begin());
    end(to ? to->receive(Kept<Result>(std::move(results)...)) : nullptr);
  }
};

// The part that is the same for all operations.
class PendingCall : protected KeptCall {
 public:
  PendingCall(const PendingCall&) = delete;
  PendingCall& operator=(const PendingCall&) = delete;

  bool is_ready() {
    if (is_kept()) KeptCall::send();
    return has_outcome();
  }
  // Ends the call as cancelled (TRANSIENT, OMG minor 3), unless it has ended. Any thread, while this object
  // lives.
  void cancel() noexcept {
    if ((cancelling_.fetch_or(wanted) & sent) != 0) call_.cancel();
  }

 protected:
  PendingCall() : stop_() {}
  [[gnu::always_inline]] ~PendingCall() {}

  void stop_by(std::stop_token token) {
    if (is_kept()) KeptCall::send();
    stop_.emplace(std::move(token), Cancelling{call_});
  }
  // Whether an outcome or a callback may come.
  bool is_under_way() const { return is_kept() || link_ || stop_; }
  // `receiver` gets no outcome any more.
  [[gnu::noinline]] void stop_giving_to(FailureReceiver* receiver) {
    stop_.reset();  // waits until a callback that runs in another thread has ended
    if (is_kept()) KeptCall::send();
    if (link_) link_->replace(receiver, nullptr);
  }
  bool has_outcome() const { return waiting_.load() == over(); }
  void note_outcome() { waiting_.store(over(), std::memory_order_relaxed); }
  bool is_cancelling() const { return cancelling_.load(std::memory_order_relaxed) != 0; }
  // Notes that the coroutine waits. False: there is an outcome.
  bool wait_with(std::coroutine_handle<> waiting) {
    if (retrieved_) [[unlikely]]
      throw std::future_error(std::future_errc::no_state);
    if (began_with_loop()) [[unlikely]]
      is_kept() ? KeptCall::note_awaited() : call_.note_awaited();
    void* none = nullptr;
    return waiting_.compare_exchange_strong(none, waiting.address());
  }
  // Notes the outcome. Returns the coroutine that waits; null if there is none.
  std::coroutine_handle<> end_call() {
    void* const waiting = waiting_.exchange(over());
    if (waiting != thread()) return waiting ? std::coroutine_handle<>::from_address(waiting) : nullptr;
    waiting_.notify_all();
    return nullptr;
  }
  // The same, and the loop resumes that coroutine.
  void end_in_loop() noexcept {
    if (void* const waiting = waiting_.exchange(over()))
      resume_later(std::coroutine_handle<>::from_address(waiting));
  }
  // The thread waits for the outcome of a call that is not kept. Throws std::future_error after future().
  void wait_for_outcome() {
    if (retrieved_) throw std::future_error(std::future_errc::no_state);
    if (is_kept()) KeptCall::send();
    call_.leave_loop();
    void* found = nullptr;
    if (!waiting_.compare_exchange_strong(found, thread()) && found == over()) return;
    while (waiting_.load() != over()) waiting_.wait(thread());
  }
  // Called by the run loop that keeps the call.
  static void fail_kept(KeptCall& kept, const std::exception_ptr& failure) noexcept {
    PendingCall& call = static_cast<PendingCall&>(kept);
    call.failure_ = failure;
    call.end_in_loop();
  }
  void use_sent(FailureLink& link, HeldCall&& held) noexcept {
    link_ = &link;
    call_ = std::move(held);
  }
  // No loop has kept the call.
  void note_sent_at_once() { cancelling_.store(sent, std::memory_order_relaxed); }
  // The call was sent: from now on, cancel() cancels it itself.
  void note_sent() noexcept {
    if (cancelling_.fetch_or(sent) & wanted) call_.cancel();
  }

  HeldCall call_;
  FailureLink* link_ = nullptr;  // null while a loop keeps the call, or once a future gets its outcome
  std::exception_ptr failure_;
  bool retrieved_ = false;  // future() was called

 private:
  struct Cancelling {
    const HeldCall& call;
    void operator()() const noexcept { call.cancel(); }
  };
  // Values of `cancelling_`, for cancelling by other threads while a loop keeps the call.
  static constexpr unsigned char wanted = 1, sent = 2;
  // Values of `waiting_` that are not addresses of coroutines: the call is over; a thread waits.
  static void* over() { return reinterpret_cast<void*>(std::uintptr_t{1}); }
  static void* thread() { return reinterpret_cast<void*>(std::uintptr_t{2}); }

  std::atomic<unsigned char> cancelling_{0};
  std::atomic<void*> waiting_{nullptr};  // the coroutine that waits
  union {
    std::optional<std::stop_callback<Cancelling>> stop_;  // empty when this object is destroyed
  };
};

// The part that is the same for all operations with this result.
template <class Result>
class PendingResult : public PendingCall {
 public:
  // Does not wait. Throws std::future_error the second time.
  std::future<Result> future() {
    if (is_kept()) KeptCall::send();
    if (retrieved_) throw std::future_error(std::future_errc::future_already_retrieved);
    auto receiver = std::make_unique<PromiseReceiver<Result>>();
    retrieved_ = true;
    std::future<Result> future = receiver->future();
    const bool comes_later = link_ && std::exchange(link_, nullptr)->replace(&delivery_, receiver.get());
    Receiver<Result>& to = *receiver.release();  // deletes itself
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

 protected:
  using Link = ReceiverLink<Result>;

  PendingResult() {}
  [[gnu::always_inline]] ~PendingResult() {}

  // For a call that is sent.
  Link link() { return Link(std::construct_at(&delivery_, *this)); }
  // Due in the most derived class' destructor, since the outcome may come meanwhile.
  void leave() {
    if (is_under_way()) [[unlikely]]
      stop_giving_to(&delivery_);
  }
  static void move_sink(KeptCall& kept, void* to, HeldCall&& held) noexcept {
    PendingResult& call = static_cast<PendingResult&>(kept);
    call.use_sent(*::new (to) Link(call.link()), std::move(held));
    call.note_sent();
  }
  Outcome<Result> take_outcome() {
    return failure_ ? Outcome<Result>(failure_) : Outcome<Result>(std::move(*result_));
  }
  Result take() {
    if (failure_) std::rethrow_exception(failure_);
    if constexpr (!std::is_void_v<Result>) return std::move(*result_);
  }
  // Takes the result of a call that a loop has made. It is not used if there is a failure.
  template <class Values>
  void keep(Values& values) {
    Keeping keeping{result_};
    values.give_to(keeping);
  }

 private:
  struct Keeping {
    std::optional<Kept<Result>>& result;
    template <class... Results>
    void succeed(Results&... results) {
      result.emplace(std::move(results)...);
    }
  };
  // Gets the outcome of a call that is sent.
  class Delivery final : public Receiver<Result> {
   public:
    explicit Delivery(PendingResult& call) : call_(call) {}
    std::coroutine_handle<> receive(Kept<Result>&& result) override {
      call_.result_.emplace(std::move(result));
      return call_.end_call();
    }
    std::coroutine_handle<> receive(const std::exception_ptr& failure) override {
      call_.failure_ = failure;
      return call_.end_call();
    }

   private:
    PendingResult& call_;
  };
  static_assert(std::is_trivially_destructible_v<Delivery>);

  std::optional<Kept<Result>> result_;
  union {
    Delivery delivery_;  // made by link()
  };
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
// use it. Use only one of co_await, get() and future() for a call, once. Destroying it drops the outcome.
// Only future() allocates to wait. In a thread with a run loop (<takt/async/run_loop.h>), a call may be sent
// only when something waits for it, and its coroutine goes on in that thread.
template <OperationName Name, class R, class... P, class Exceptions, OperationKind Kind>
class [[nodiscard]] Pending<Operation<Name, R(P...), Exceptions, Kind>> final
    : private detail::PendingResult<typename detail::ReturnedAs<detail::ResultOf, R, P...>::Type> {
  using Op = Operation<Name, R(P...), Exceptions, Kind>;
  using Base = detail::PendingResult<typename detail::ReturnedAs<detail::ResultOf, R, P...>::Type>;
  using typename Base::Link;

 public:
  // The result; if there are several values, a tuple: the result unless void, then inout and out values.
  using Result = typename detail::ReturnedAs<detail::ResultOf, R, P...>::Type;

  // Sends the call. Throws what sendc_ throws.
  template <class... Arguments>
  explicit Pending(const CORBA::Object& target, const Arguments&... arguments) {
    if (KeptCall::begin(target, kept_type)) {
      CallOf<Op, Link>::encode_kept(*this, arguments...);
      return;
    }
    Link* link = nullptr;
    this->call_ = CallOf<Op, Link>::send_held(target, this->link(), link, arguments...);
    this->link_ = link;
    this->note_sent_at_once();
  }
  ~Pending() { this->leave(); }

  using Base::cancel;
  using Base::future;
  using Base::is_ready;

  // Waits for the outcome: returns the results, or throws what a synchronous call throws. Must not be called
  // in a thread that delivers outcomes, except the thread of a run loop.
  Result get() {
    wait();
    return this->take();
  }
  // Like get(), but throws no exception of the call.
  Outcome<Result> get_outcome() {
    wait();
    return this->take_outcome();
  }
  // Cancels the call when the token is stopped, while this object lives. Call once at most.
  Pending& stopped_by(std::stop_token token) {
    this->stop_by(std::move(token));
    return *this;
  }
  // To be awaited in place of the call: gives an Outcome<Result>, and throws no exception of the call.
  auto outcome() {
    struct Gives : Awaiter {
      Outcome<Result> await_resume() { return this->call.take_outcome(); }
    };
    return Gives{{*this}};
  }
  auto operator co_await() {
    struct Gives : Awaiter {
      Result await_resume() { return this->call.take(); }
    };
    return Gives{{*this}};
  }

 private:
  struct Awaiter {
    bool await_ready() const { return (call.is_kept() && call.settle_kept()) || call.has_outcome(); }
    bool await_suspend(std::coroutine_handle<> waiting) { return call.wait_with(waiting); }
    Pending& call;
  };

  // Called by the run loop that keeps the call.
  static void make_kept(KeptCall& kept) noexcept {
    Pending& call = static_cast<Pending&>(kept);
    if (call.is_cancelling()) [[unlikely]]
      return kept.send();
    call.settle(&KeptCall::make);
    call.end_in_loop();
  }
  static constexpr KeptType kept_type{CallOf<Op, Link>::type, true, &make_kept, &Base::fail_kept,
                                      &Base::move_sink};

  // Called before the coroutine waits: makes the call if the loop has no other. Whether it has ended.
  bool settle_kept() {
    if (this->is_cancelling()) [[unlikely]] {
      if (this->is_of_this_thread()) KeptCall::send();
      return false;
    }
    if (!settle(&KeptCall::make_if_alone)) return false;
    this->note_outcome();
    return true;
  }
  [[gnu::always_inline]] bool settle(KeptCall::Made (KeptCall::*how)()) {
    detail::Values<R, P...> values;
    if (!values.template make_kept<Exceptions>(*this, how, this->failure_)) return false;
    KeptCall::end_made();
    this->keep(values);
    return true;
  }
  void wait() {
    if (this->is_kept() && this->is_of_this_thread()) {
      make_kept(*this);
      KeptCall::end_waiting();
    }
    this->wait_for_outcome();
  }
};

}  // namespace takt::async
