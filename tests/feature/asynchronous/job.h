// A coroutine whose end a thread can wait for.
#pragma once

#include <coroutine>
#include <exception>
#include <future>

namespace feature {

// The frame is destroyed at its end.
struct Job {
  struct promise_type {
    std::promise<void> ended;
    Job get_return_object() { return {ended.get_future()}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() { ended.set_value(); }
    void unhandled_exception() { ended.set_exception(std::current_exception()); }
  };
  std::future<void> ended;
};

}  // namespace feature
