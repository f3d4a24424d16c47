// Notices of asynchronous calls whose requests have left the process.
//
//   const auto notice = std::make_shared<takt::SentNotice>();
//   {
//     const takt::SentScope scope(notice);
//     greeter->sendc_greet(handler, "world");
//   }
//   notice->wait_for(100ms);  // or, in a coroutine: co_await *notice
#pragma once

#include <atomic>
#include <chrono>
#include <coroutine>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace takt {

// Receives sent() or not_sent() once for each call that begins in its scope without throwing
// (docs/user/asynchronous.md, C16). The outcome of the call is delivered afterwards. If the call is cancelled
// or too late just as its request leaves, another thread may deliver it at the same time. The threads that
// read connections call these functions, without a lock, so they must be short and must not wait. The ORB
// keeps the listener until its calls have ended.
class SentListener {
 public:
  virtual ~SentListener();
  // The system has taken all octets of the request. For an object of this process: its servant
  // begins, or the call goes over a connection because the servant answers later.
  virtual void sent() noexcept = 0;
  // The call ends, and its request was not sent.
  virtual void not_sent() noexcept = 0;

 protected:
  SentListener() = default;
  SentListener(const SentListener&) = default;
  SentListener& operator=(const SentListener&) = default;
};

// A listener for which threads, or one coroutine, can wait.
class SentNotice final : public SentListener {
 public:
  enum class State : std::uint8_t {
    waits,     // some call has neither been sent nor ended
    sent,      // all requests have left
    not_sent,  // all calls are settled; one or more ended before its request had left
  };
  // A notice whose state is final when that many calls are settled. Allocates.
  explicit SentNotice(std::size_t calls = 1);
  ~SentNotice() override;
  SentNotice(const SentNotice&) = delete;
  SentNotice& operator=(const SentNotice&) = delete;

  // Any thread.
  State state() const;
  // Waits until the state is no longer `waits`, for at most `timeout`.
  State wait_for(std::chrono::nanoseconds timeout) const;
  // For co_await, once: gives the state. The coroutine goes on in the thread that settles it, under the rules
  // of SentListener.
  auto operator co_await() {
    struct Awaiter {
      bool await_ready() const { return of.state() != State::waits; }
      bool await_suspend(std::coroutine_handle<> waiting) {
        void* none = nullptr;
        return of.waiting_.compare_exchange_strong(none, waiting.address());
      }
      State await_resume() const { return of.state(); }
      SentNotice& of;
    };
    return Awaiter{*this};
  }

  void sent() noexcept override { settle(State::sent); }
  void not_sent() noexcept override { settle(State::not_sent); }

 private:
  struct Waits;
  void settle(State how) noexcept;

  const std::unique_ptr<Waits> waits_;
  std::atomic<void*> waiting_{nullptr};  // the coroutine that waits; `this` once the notice is settled
};

// Gives a listener to the asynchronous calls that the calling thread begins while the scope exists. An inner
// scope replaces an outer one. Scopes live on the stack, and end in reverse order. A coroutine must not hold
// one across a co_await.
class SentScope {
 public:
  // Null: the calls have no listener.
  explicit SentScope(std::shared_ptr<SentListener> listener);
  ~SentScope();
  SentScope(const SentScope&) = delete;
  SentScope& operator=(const SentScope&) = delete;

  // The innermost scope of the calling thread; null if there is none.
  static const SentScope* present() noexcept;
  const std::shared_ptr<SentListener>& listener() const { return listener_; }

 private:
  const std::shared_ptr<SentListener> listener_;
  const SentScope* const outer_;
};

}  // namespace takt
