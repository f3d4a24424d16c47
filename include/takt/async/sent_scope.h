// Tells when the requests of asynchronous calls have left the process.
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

// Gets one of sent() and not_sent() for each call that begins in its scope and does not throw
// (docs/user/asynchronous.md, C16). The outcome of the call comes after it, or beside it if the call is
// cancelled or late as its request leaves. Called by threads of the ORB, which read connections and hold no
// lock: it must be short, and must not wait. Kept until its calls have ended.
class SentListener {
 public:
  virtual ~SentListener();
  // The system has all octets of the request, or the object is one of this process and its servant begins.
  virtual void sent() noexcept = 0;
  // The call ends without that.
  virtual void not_sent() noexcept = 0;

 protected:
  SentListener() = default;
  SentListener(const SentListener&) = default;
  SentListener& operator=(const SentListener&) = default;
};

// A listener that threads wait for, or one coroutine.
class SentNotice final : public SentListener {
 public:
  enum class State : std::uint8_t {
    waits,     // some call has neither been sent nor ended
    sent,      // all requests have left
    not_sent,  // all calls are settled; one or more ended before its request had left
  };
  // Settled when that many calls are. Allocates.
  explicit SentNotice(std::size_t calls = 1);
  ~SentNotice() override;
  SentNotice(const SentNotice&) = delete;
  SentNotice& operator=(const SentNotice&) = delete;

  // Any thread.
  State state() const;
  // Waits for the end of `waits`, as long as that.
  State wait_for(std::chrono::nanoseconds timeout) const;
  // For co_await, once: gives the state. The coroutine goes on in the thread that tells, under the rules of
  // SentListener.
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
  std::atomic<void*> waiting_{nullptr};  // a coroutine, or this notice when it is settled
};

// While it exists, the asynchronous calls that the calling thread begins have this listener. An inner scope
// replaces an outer one. Lives on the stack; scopes end in reverse order. A coroutine must not hold one while
// it waits.
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
