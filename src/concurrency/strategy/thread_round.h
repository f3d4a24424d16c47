// Work that each thread of a pool runs once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// Any thread.
class ThreadRound {
 public:
  explicit ThreadRound(std::function<void()> work) : work_(std::move(work)) {}

  // Called in each thread of the pool. Keeps the first exception that the work throws.
  void run() noexcept {
    std::exception_ptr failure;
    try {
      work_();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    ++done_;
    if (!failure_) failure_ = failure;
    changed_.notify_all();
  }
  // Waits until `threads` threads have done the work; false if they have not by `until`. Throws the first
  // exception of the work.
  bool wait(unsigned threads, std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    const bool all = changed_.wait_until(lock, until, [&] { return done_ >= threads; });
    if (failure_) std::rethrow_exception(failure_);
    return all;
  }

 private:
  const std::function<void()> work_;
  os::PriorityMutex mutex_;  // guards the next members
  os::PriorityCondition changed_;
  unsigned done_ = 0;
  std::exception_ptr failure_;
};

// The latest round that a pool's threads were asked to run. It replaces the one before, even if some threads
// have not begun that. Any thread.
class ThreadRounds {
 public:
  void ask(std::shared_ptr<ThreadRound> round) {
    const std::lock_guard lock(mutex_);
    if (round == round_) return;
    round_ = std::move(round);
    number_.fetch_add(1, std::memory_order_relaxed);
  }
  // Called by each thread between two requests. `seen` is the thread's own variable, initially 0. Costs a
  // load.
  bool asked(std::uint32_t seen) const { return number_.load(std::memory_order_relaxed) != seen; }
  void run_if_asked(std::uint32_t& seen) {
    if (asked(seen)) [[unlikely]]
      run(seen);
  }

 private:
  [[gnu::cold, gnu::noinline]] void run(std::uint32_t& seen) {
    std::shared_ptr<ThreadRound> round;
    {
      const std::lock_guard lock(mutex_);
      seen = number_.load(std::memory_order_relaxed);
      round = round_;
    }
    round->run();
  }

  std::atomic<std::uint32_t> number_{0};
  os::PriorityMutex mutex_;
  std::shared_ptr<ThreadRound> round_;
};

}  // namespace takt::server
