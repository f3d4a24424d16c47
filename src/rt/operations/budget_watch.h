// A thread that sees upcalls go over their budgets while they run.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "os/threads/running_thread.h"
#include "os/threads/semaphore.h"
#include "os/threads/thread.h"
#include "rt/operations/operation.h"

namespace takt::rt {

// The thread runs at the highest priority of the scheduling class, and sleeps until some upcall could be over
// its budget: so long after it began as its budget says, and then as long as it has left. begin() and end()
// are for the threads that run upcalls; they neither lock nor allocate, and wait for nothing but an action of
// the watch on this very upcall.
class BudgetWatch {
 public:
  static constexpr std::size_t max_watched = 256;  // upcalls at once; others are looked at when they end

  // What to do when an upcall is over its budget, in the watch's thread; must not wait. `thread` runs. Gives
  // what the thread ran at, where that has been changed.
  class Host {
   public:
    virtual std::optional<os::Scheduling> on_overrun(Operation& operation, const os::RunningThread& thread,
                                                     std::chrono::nanoseconds used) noexcept = 0;

   protected:
    ~Host() = default;
  };

  // `host` outlives it. NO_RESOURCES where there is no thread to be had.
  BudgetWatch(Host& host, os::SchedulingClass scheduling_class);
  // Waits for the thread.
  ~BudgetWatch();

  struct Watched {
    std::uint32_t place = max_watched;  // of none
    std::uint32_t word = 0;
  };
  // The calling thread begins an upcall, having used so much so far.
  Watched begin(Operation& operation, const os::RunningThread& thread, std::chrono::nanoseconds used_so_far,
                Clock::time_point now) noexcept;
  struct Ended {
    bool told = false;  // the host has been, and done this
    std::optional<os::Scheduling> ran_at = {};
  };
  Ended end(const Watched& watched) noexcept;

 private:
  // A place's word: how often it has been used, and what it is in.
  enum State : std::uint32_t { free_place = 0, taken = 1, running = 2, acting = 3, acted = 4, mask = 7 };
  struct alignas(64) Place {
    std::atomic<std::uint32_t> word{0};
    // Of the upcall; written while taken. What is read while it may be written anew is thrown away.
    std::atomic<Operation*> operation{nullptr};
    std::atomic<pthread_t> thread{};
    std::atomic<clockid_t> clock{};
    std::atomic<std::int64_t> may_use_ns{0};  // in the whole life of the thread
    std::atomic<std::int64_t> first_look_ns{0};
    std::optional<os::Scheduling> ran_at;  // by the watch while it acts
  };
  struct Next {
    std::uint32_t word = 0;
    std::int64_t look_ns = 0;
  };

  void watch();
  std::int64_t look_at_all();
  std::int64_t look_at(Place& place, Next& next, std::int64_t now);

  Host& host_;
  const os::SchedulingClass class_;
  std::array<Place, max_watched> places_;
  std::array<Next, max_watched> next_{};  // the watch's own
  std::atomic<std::int64_t> asleep_until_{0};
  std::atomic<bool> over_{false};
  os::Semaphore wake_, ready_;
  os::Thread thread_;
};

}  // namespace takt::rt
