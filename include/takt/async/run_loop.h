// Asynchronous calls whose outcomes are delivered in the thread that made them.
//
//   std::string text = takt::sync_wait(greet(greeter));  // a coroutine, to its end
//
//   takt::RunLoop loop;
//   loop.spawn(greet(first));
//   loop.spawn(greet(second));
//   greeter->sendc_greet(handler, "world");
//   loop.run();
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <takt/adapter/task.h>

namespace takt {

namespace async {

class Loop;

// A task of a run loop, which destroys it.
struct LoopTask {
  struct promise_type;
  using Handle = std::coroutine_handle<promise_type>;
  Handle handle;
};

struct LoopTask::promise_type {
  struct End {
    bool await_ready() const noexcept { return false; }
    void await_suspend(Handle ended) const noexcept { ended.promise().end(); }
    void await_resume() const noexcept {}
  };
  static void* operator new(std::size_t bytes) { return adapter::allocate_frame(bytes); }
  static void operator delete(void* frame, std::size_t bytes) noexcept {
    adapter::deallocate_frame(frame, bytes);
  }
  LoopTask get_return_object() noexcept { return {Handle::from_promise(*this)}; }
  std::suspend_always initial_suspend() noexcept { return {}; }
  End final_suspend() noexcept { return {}; }
  void return_void() noexcept {}
  void unhandled_exception() noexcept { exception = std::current_exception(); }
  // Tells the loop that the task has ended. Called in the thread that ran its end.
  void end() noexcept;

  Loop* loop = nullptr;
  promise_type *before = nullptr, *after = nullptr;  // in the loop's list
  promise_type* next_ended = nullptr;                // in a list of tasks that have ended
  std::exception_ptr exception;
};

}  // namespace async

// Delivers, in run(), the outcomes of asynchronous calls that its thread began while the loop existed: those
// of calls with handlers, and of awaited calls. See "A loop in the calling thread" in
// docs/user/asynchronous.md. If the loop has only one call to make, it makes a synchronous one. A loop
// belongs to the thread that constructs it. An inner loop replaces an outer one, and ends first. The outcomes
// of calls that outlive the loop are delivered as without a loop. The constructor allocates.
class RunLoop {
 public:
  RunLoop();
  ~RunLoop();
  RunLoop(const RunLoop&) = delete;
  RunLoop& operator=(const RunLoop&) = delete;

  // Adds a task, which begins in run(). It is destroyed when it ends, or with the loop. When the loop is
  // destroyed, the task must be waiting for a call.
  void spawn(Task<> task);
  // Runs until all tasks have ended and all outcomes are delivered. Throws the first exception that left a
  // task, or that left the coroutine of another type which awaits a call that the loop has made itself.
  // Throws BAD_INV_ORDER in a task or handler that this loop runs. Do not call it in the ORB's threads that
  // deliver outcomes.
  void run();
  // Runs until all tasks have ended, even if outcomes are still to be delivered.
  void run_tasks();

  // For sync_wait(). The loop destroys the task.
  void start(async::LoopTask task);

 private:
  const std::unique_ptr<async::Loop> loop_;
};

namespace async::detail {

inline LoopTask run_to_end(Task<> task) { co_await task; }

template <class T>
LoopTask keep_result(Task<T> task, std::optional<T>& result) {
  result.emplace(co_await task);
}

}  // namespace async::detail

inline void RunLoop::spawn(Task<> task) { start(async::detail::run_to_end(std::move(task))); }

// Runs the task to its end, in a loop of the calling thread, and returns its result or throws its exception.
template <class T>
T sync_wait(Task<T> task) {
  RunLoop loop;
  if constexpr (std::is_void_v<T>) {
    loop.spawn(std::move(task));
    loop.run_tasks();
  } else {
    std::optional<T> result;
    loop.start(async::detail::keep_result(std::move(task), result));
    loop.run_tasks();
    return std::move(*result);
  }
}

}  // namespace takt
