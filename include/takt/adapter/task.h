// Coroutines that answer calls: takt::Task<std::string> greet(std::string name) override.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <takt/adapter/servant.h>
#include <takt/server/late_answer.h>

namespace takt {

template <class T = void>
class Task;

namespace adapter {

// Memory for coroutine frames, which is kept for reuse up to a limit. Any thread. Throws std::bad_alloc.
void* allocate_frame(std::size_t bytes);
void deallocate_frame(void* frame, std::size_t bytes) noexcept;

// BAD_INV_ORDER for a task that cannot be awaited: it has no coroutine, or was awaited before.
[[noreturn]] void throw_not_awaitable(bool has_coroutine);

// The state of a Task apart from its result. If the task answers a call, the call's state is here too, so
// that the call needs no memory beside the coroutine's frame.
class TaskState {
 public:
  TaskState() = default;
  TaskState(const TaskState&) = delete;
  TaskState& operator=(const TaskState&) = delete;

  static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept { deallocate_frame(frame, bytes); }

  // A task begins when it is awaited, or when its skeleton starts it.
  std::suspend_always initial_suspend() noexcept { return {}; }
  auto final_suspend() noexcept { return End{*this}; }
  void unhandled_exception() noexcept { exception_ = std::current_exception(); }

  // The exception that ended the task; null if it has returned.
  const std::exception_ptr& exception() const { return exception_; }
  void continue_with(std::coroutine_handle<> awaiting) { awaiting_ = awaiting; }
  bool is_awaited() const { return static_cast<bool>(awaiting_); }

  // The function that gives the answer of a task that has ended. It may throw.
  using Give = void (*)(TaskState& state, server::LateAnswer& answer);
  // Makes the end of the task the answer of `call`, whose upcall is running. The servant lives until then.
  // Throws as LateAnswer's constructor does.
  void answer(server::ServerCall& call, std::string_view operation,
              CORBA::servant_reference<PortableServer::Servant> servant, Give how) {
    answer_.emplace(call, operation);
    servant_ = std::move(servant);
    give_ = how;
  }

 private:
  struct End {
    TaskState& state;

    // True: the coroutine destroys itself.
    bool await_ready() const noexcept {
      if (!state.answer_) return false;
      state.give();
      return true;
    }
    std::coroutine_handle<> await_suspend(std::coroutine_handle<>) const noexcept {
      return state.awaiting_ ? state.awaiting_ : std::noop_coroutine();
    }
    void await_resume() const noexcept {}
  };
  void give() noexcept;

  std::exception_ptr exception_;
  std::coroutine_handle<> awaiting_;
  CORBA::servant_reference<PortableServer::Servant> servant_;
  Give give_ = nullptr;
  std::optional<server::LateAnswer> answer_;  // dropped before the servant
};

template <class T>
class TaskPromise : public TaskState {
 public:
  Task<T> get_return_object() noexcept;
  template <class Value>
    requires std::is_constructible_v<T, Value&&>
  void return_value(Value&& value) {
    value_.emplace(std::forward<Value>(value));
  }
  T& value() { return *value_; }

 private:
  std::optional<T> value_;
};

template <>
class TaskPromise<void> : public TaskState {
 public:
  Task<void> get_return_object() noexcept;
  void return_void() noexcept {}
};

}  // namespace adapter

// A coroutine with a result, or with an exception. It begins when it is awaited, runs in the threads that
// resume it, and is awaited once. Destroying it destroys the coroutine, which must be suspended. A servant's
// method returns one; then the skeleton starts it, and its end is the call's answer.
template <class T>
class [[nodiscard]] Task {
 public:
  using promise_type = adapter::TaskPromise<T>;

  Task() noexcept = default;
  explicit Task(std::coroutine_handle<promise_type> frame) noexcept : frame_(frame) {}
  Task(Task&& other) noexcept : frame_(std::exchange(other.frame_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      reset();
      frame_ = std::exchange(other.frame_, nullptr);
    }
    return *this;
  }
  ~Task() { reset(); }

  explicit operator bool() const noexcept { return static_cast<bool>(frame_); }
  // Gives up the coroutine, which destroys itself at its end if it answers a call.
  std::coroutine_handle<promise_type> release() noexcept { return std::exchange(frame_, nullptr); }
  promise_type& promise() const { return frame_.promise(); }

  // Awaiting begins the task, and goes on where it ends: with its result, or its exception. Throws
  // BAD_INV_ORDER if the task is empty, as one that was moved from, or was awaited before.
  bool await_ready() const noexcept { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> awaiting) {
    if (!frame_ || frame_.promise().is_awaited()) [[unlikely]]
      adapter::throw_not_awaitable(static_cast<bool>(frame_));
    frame_.promise().continue_with(awaiting);
    return frame_;
  }
  T await_resume() {
    promise_type& state = frame_.promise();
    if (state.exception()) std::rethrow_exception(state.exception());
    if constexpr (!std::is_void_v<T>) return std::move(state.value());
  }

 private:
  void reset() noexcept {
    if (frame_) std::exchange(frame_, nullptr).destroy();
  }
  std::coroutine_handle<promise_type> frame_;
};

template <class T>
Task<T> adapter::TaskPromise<T>::get_return_object() noexcept {
  return Task<T>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}
inline Task<void> adapter::TaskPromise<void>::get_return_object() noexcept {
  return Task<void>(std::coroutine_handle<TaskPromise>::from_promise(*this));
}

}  // namespace takt
