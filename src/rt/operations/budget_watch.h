// Detects upcalls that exceed their processor budget while they run.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>

#include "rt/operations/operation.h"
#include "threads/locks/semaphore.h"
#include "threads/scheduling/running_thread.h"
#include "threads/thread.h"

namespace takt::rt {

// The watch has a thread at the highest priority of the scheduling class. It sleeps until an upcall could
// have used up its budget: first as long as the budget, then as long as what is left of it. Threads that run
// upcalls call begin() and end(), which neither lock nor allocate. They wait only while the watch acts on
// this very upcall.
class BudgetWatch {
 public:
  static constexpr std::size_t max_watched = 256;  // upcalls at once; others are checked when they end

  // Called in the watch's thread when an upcall exceeds its budget; must not block. `thread` is running.
  // Returns the thread's previous scheduling if it changed it.
  class Host {
   public:
    virtual std::optional<os::Scheduling> on_overrun(Operation& operation, const os::RunningThread& thread,
                                                     std::chrono::nanoseconds used) noexcept = 0;

   protected:
    ~Host() = default;
  };

  // `host` must outlive it. Throws NO_RESOURCES if no thread is available.
  BudgetWatch(Host& host, os::SchedulingClass scheduling_class);
  // Joins the thread.
  ~BudgetWatch();

  struct Watched {
    std::uint32_t place = max_watched;  // max_watched: none
    std::uint32_t word = 0;
  };
  // Call when the calling thread begins an upcall. `used_so_far` is the thread's processor time.
  Watched begin(Operation& operation, const os::RunningThread& thread, std::chrono::nanoseconds used_so_far,
                Clock::time_point now) noexcept;
  struct Ended {
    bool told = false;  // the host was called and returned `ran_at`
    std::optional<os::Scheduling> ran_at = {};
  };
  Ended end(const Watched& watched) noexcept;
  // Between the two, in the same thread: whether the host has changed the thread's scheduling.
  bool has_changed(const Watched& watched) const noexcept;

 private:
  // The word of a place: a use count, and its state.
  enum State : std::uint32_t { free_place = 0, taken = 1, running = 2, acting = 3, acted = 4, mask = 7 };
  struct alignas(64) Place {
    std::atomic<std::uint32_t> word{0};
    // Describes the upcall; written while taken. Values that were read during a rewrite are discarded.
    std::atomic<Operation*> operation{nullptr};
    std::atomic<pthread_t> thread{};
    std::atomic<clockid_t> clock{};
    std::atomic<std::int64_t> may_use_ns{0};  // absolute processor time of the thread
    std::atomic<std::int64_t> first_look_ns{0};
    std::optional<os::Scheduling> ran_at;  // written by the watch while it acts
  };
  struct Next {
    std::uint32_t word = 0;
    std::int64_t look_ns = 0;
  };

  static void await_host(const Place& place, std::uint32_t& word) noexcept;
  void watch();
  std::int64_t look_at_all();
  std::int64_t look_at(Place& place, Next& next, std::int64_t now);

  Host& host_;
  const os::SchedulingClass class_;
  std::array<Place, max_watched> places_;
  std::array<Next, max_watched> next_{};  // only used by the watch's thread
  std::atomic<std::int64_t> asleep_until_{0};
  std::atomic<bool> over_{false};
  os::Semaphore wake_, ready_;
  os::Thread thread_;
};

}  // namespace takt::rt
