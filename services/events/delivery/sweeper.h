// A thread that looks after a service's objects now and then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <new>
#include <stop_token>
#include <thread>
#include <utility>

namespace takt::events {

// Calls `look` after each period until stop(). If that finds no memory, it is called again after the next
// period.
class Sweeper {
 public:
  Sweeper(std::chrono::nanoseconds period, std::function<void()> look)
      : thread_([this, period, look = std::move(look)](const std::stop_token& stop) {
          run(stop, period, look);
        }) {}

  // Waits for a call that is under way. One thread at a time; further calls have no effect.
  void stop() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  void run(const std::stop_token& stop, std::chrono::nanoseconds period, const std::function<void()>& look) {
    std::unique_lock lock(mutex_);
    while (!wakes_.wait_for(lock, stop, period, [&] { return stop.stop_requested(); })) try {
        look();
      } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it looks again after the period
      }
  }

  std::mutex mutex_;  // only for the wait
  std::condition_variable_any wakes_;
  std::jthread thread_;  // last, so that it ends first
};

}  // namespace takt::events
