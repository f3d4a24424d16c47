// The threads that deliver the events of one priority level.
#pragma once

#include <atomic>
#include <cstdint>
#include <expected>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "rt_events/dispatch/ring.h"
#include "rt_events/dispatch/wake_up.h"

namespace takt::rt_events {

// Since when a thread has been in a call to a consumer. The thread writes it, the supervisor reads it.
class CallWatch {
 public:
  void begin(os::TimePoint now) { since_.store(now.time_since_epoch().count(), std::memory_order_relaxed); }
  void end() { since_.store(idle, std::memory_order_relaxed); }
  // TimePoint::max(): it is in no call.
  os::TimePoint since() const {
    return os::TimePoint(os::TimePoint::duration(since_.load(std::memory_order_relaxed)));
  }

 private:
  static constexpr std::int64_t idle = os::TimePoint::max().time_since_epoch().count();
  std::atomic<std::int64_t> since_{idle};
};

// Has events to deliver.
class Work : public std::enable_shared_from_this<Work> {
 public:
  // When it is to be called again: not until it is made ready, after the other work that is ready, or after
  // the level's pause.
  enum class Again : std::uint8_t { idle, ready, later };

  virtual ~Work() = default;
  // Delivers a few events, in one thread at a time. It must not throw.
  virtual Again run(CallWatch& watch) = 0;
};

// A queue of work for one thread. If that thread stays in a call to a consumer, a new one takes over the rest
// of the level, and the old one ends with its work. Making work ready is lock-free, and allocates nothing.
// Any thread, unless stated otherwise.
class Level {
 public:
  // Sets the calling thread's priority.
  struct Priority {
    std::function<void()> set = [] {};  // first in each thread; may throw
    // After consumers have run in the thread, which may have set another priority. False: it cannot be set
    // again, and the thread is to be replaced. Must not throw.
    std::function<bool()> set_again = [] { return true; };
  };

  // `pause`: that of work which is to be run later; a second one may be added. `wake_supervisor` is called
  // when work begins and the supervisor sleeps.
  Level(std::size_t most_work, unsigned most_threads, std::chrono::nanoseconds pause, Priority priority,
        std::function<void()> wake_supervisor);
  ~Level() { stop(); }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

  // Starts the first thread. The error is that of `Priority::set`, or that there is no thread.
  std::expected<void, std::string> start();
  // Waits for running work, and forgets what is ready. Not in a thread of the level.
  void stop();

  // The number by which to make it ready; none if there is too much work. It must stay alive until remove().
  std::optional<std::uint32_t> add(Work& work);
  void remove(std::uint32_t number);
  // Must not be called again before run() has returned Again::idle, or is about to.
  void ready(std::uint32_t number);

  // By the supervisor, in one thread at a time: replaces the thread whose call has lasted for `slow_after`,
  // and returns whether a thread works.
  bool supervise(os::TimePoint now, std::chrono::nanoseconds slow_after);
  // The supervisor is about to sleep: it is to be woken when work begins.
  void supervisor_sleeps() { supervisor_sleeps_.store(true); }

  unsigned threads() const;
  std::uint64_t replaced() const { return replaced_.load(std::memory_order_relaxed); }

 private:
  struct Worker {
    std::thread thread;
    CallWatch watch;
    std::atomic<bool> busy{false}, replaced{false}, ended{false};
  };

  std::future<void> add_worker();
  void serve(Worker& worker);
  void replace(Worker& worker);
  std::optional<std::uint32_t> next_work();
  void run_later(std::uint32_t number);
  void join_ended();

  const unsigned most_threads_;
  const std::chrono::nanoseconds pause_;
  const Priority priority_;
  const std::function<void()> wake_supervisor_;
  Ring ready_;
  Ring later_;  // each is in one of the two, or runs
  Ring free_numbers_;
  std::vector<std::atomic<std::int64_t>> due_;  // when the work in later_ is to be run
  std::vector<std::atomic<Work*>> work_;
  WakeUp wake_up_;
  std::atomic<bool> stopping_{false}, supervisor_sleeps_{false};
  std::atomic<std::uint64_t> replaced_{0};
  mutable std::mutex workers_mutex_;  // for start, stop and supervision; no event takes it
  std::list<Worker> workers_;
};

}  // namespace takt::rt_events
