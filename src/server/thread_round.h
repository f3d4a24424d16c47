// Work that each thread of a pool does once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"

namespace takt::server {

// Any thread.
class ThreadRound {
 public:
  explicit ThreadRound(std::function<void()> work) : work_(std::move(work)) {}

  // In the thread that the work is for. What it throws is kept.
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
  // False: fewer threads than that have done it until then. Throws what the first of them did that failed.
  bool wait(unsigned threads, std::chrono::steady_clock::time_point until) {
    std::unique_lock lock(mutex_);
    const bool all = changed_.wait_until(lock, until, [&] { return done_ >= threads; });
    if (failure_) std::rethrow_exception(failure_);
    return all;
  }

 private:
  const std::function<void()> work_;
  os::PriorityMutex mutex_;  // for what follows
  os::PriorityCondition changed_;
  unsigned done_ = 0;
  std::exception_ptr failure_;
};

// What the threads of a pool have been asked to do: the last round, which replaces one that some have not
// begun. Any thread.
class ThreadRounds {
 public:
  void ask(std::shared_ptr<ThreadRound> round) {
    const std::lock_guard lock(mutex_);
    if (round == round_) return;
    round_ = std::move(round);
    number_.fetch_add(1, std::memory_order_relaxed);
  }
  // By each of the threads between two requests; `seen`, the thread's own, begins as 0. Costs a load.
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
