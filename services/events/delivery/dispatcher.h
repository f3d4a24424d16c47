// The threads that call the clients of event channels.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <queue>
#include <thread>
#include <vector>

#include "events/delivery/task.h"
#include "events/delivery/task_list.h"
#include "events/model/limits.h"

namespace takt::events {

// Runs tasks in the order in which they became ready, those of each Standing by themselves. A thread whose
// task takes longer than Limits::slow_after, or is for a slow client, is replaced, so that `threads` threads
// serve the other clients, up to max_threads in all. Slow clients have at most three quarters of max_threads,
// unproven ones half, suspects a quarter, and those that leave a sixteenth; an eighth, and one thread at
// least, is left for proven ones. While calls to proven clients are slow, as many threads more serve the
// others, up to a quarter of max_threads. When these calls are as many, proven clients that were not heard
// since then are asked before they are called (asks_first()), and are slow ones until they answer that call.
//
// A call to a proven or slow client hangs if it takes longer than times_slow times slow_after. Threads in
// such calls count neither among max_threads nor among those of the standing, as long as they are at most
// Limits::hanging_threads. So clients that begin to hang at one moment keep no thread that others need.
//
// Thread-safe. No thread runs while there is nothing to do. It is large because what it counts are members.
class Dispatcher {
 public:
  static constexpr int times_slow = 5;

  using TaskPtr = TaskList::TaskPtr;
  struct Counts {
    std::uint32_t threads = 0, blocked = 0;  // threads now, and those of them whose task or client is slow
    std::uint32_t hanging = 0;               // blocked threads whose call hangs
    std::uint64_t replaced = 0;              // threads that were replaced since the start
    std::size_t ready = 0;                   // tasks that wait for a thread
    std::uint64_t dropped = 0;               // tasks for clients that leave, beyond Limits::farewells
  };

  explicit Dispatcher(const Limits& limits);
  // As stop().
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  // The tasks may run now. A task must not be made ready again before it has run. Those for clients that
  // leave are dropped if Limits::farewells of them wait. Allocates nothing.
  void ready(TaskList tasks);
  void ready(TaskPtr task) {
    TaskList one;
    one.push(std::move(task));
    ready(std::move(one));
  }
  // Without memory for the time, the task may run now.
  void ready_at(Clock::time_point time, TaskPtr task);
  // Waits until running tasks have ended, and forgets the others. Later calls have no effect.
  void stop();
  Counts counts() const;
  // Whether a client that was last heard at that time may be among many that have begun to hang since. Any
  // thread; takes no lock.
  bool asks_first(Clock::time_point heard) const {
    return heard.time_since_epoch().count() < wary_since_.load(std::memory_order_relaxed);
  }

 private:
  struct Worker {
    std::thread thread;
    Clock::time_point since = Clock::time_point::max();  // start of its task; max(): it has none
    bool blocked = false;                  // the task or its client is slow; another worker takes over
    bool hangs = false;                    // it counts no longer among max_threads
    Standing standing = Standing::proven;  // the standing of its task
    bool ended = false;
  };
  struct Later {
    Clock::time_point time;
    TaskPtr task;
    bool operator>(const Later& other) const { return time > other.time; }
  };
  using Workers = std::list<Worker>;

  // The tasks of one standing.
  struct Lane {
    TaskList ready{};
    std::uint32_t running = 0, hanging = 0;  // tasks; those of them that hang
    std::uint32_t most_threads = 0;          // besides those in tasks that hang
  };

  Lane& lane(Standing standing) { return lanes_[static_cast<std::size_t>(standing)]; }
  const Lane& lane(Standing standing) const { return lanes_[static_cast<std::size_t>(standing)]; }
  // Returns the task if it is dropped. The caller ends it without the lock, since its destructor may take
  // others.
  TaskPtr add(TaskPtr task);
  // The same for a task that runs at that time.
  TaskPtr add_at(Clock::time_point time, TaskPtr task);
  std::size_t ready_tasks() const;
  // Whether a task of the lane, which is not that of proven clients, may begin now.
  bool may_begin(const Lane& lane) const;
  // The standing from which a worker takes its task; none: it has no work. `spare`: there are as many as are
  // wanted without it, so that it may only wait for a slow client.
  std::optional<Standing> choose(bool spare);
  TaskPtr next_task(Worker& worker, bool spare);
  void block(Worker& worker);
  void note_end(Worker& worker);
  void work(Worker& worker);
  void watch();
  void look_after_workers(Clock::time_point now);
  // Whether a quarter of max_threads are in slow calls to proven clients.
  bool many_are_slow() const;
  void note_slow_calls();
  void note_hanging(Worker& worker, Clock::time_point now);
  std::uint32_t hanging() const { return lane(Standing::proven).hanging + lane(Standing::slow).hanging; }
  bool may_start_worker() const;
  // Threads that are wanted besides those that wait for slow clients.
  std::uint32_t wanted() const;
  static constexpr Clock::rep not_wary = std::numeric_limits<Clock::rep>::min();
  void start_worker();
  void join_ended();
  bool has_work() const;

  const Limits limits_;
  mutable std::mutex mutex_;
  std::condition_variable work_to_do_, watcher_wakes_;
  std::array<Lane, 5> lanes_;  // by Standing
  std::priority_queue<Later, std::vector<Later>, std::greater<>> later_;
  Workers workers_;
  std::uint32_t live_ = 0, idle_ = 0, blocked_ = 0;
  std::uint32_t doubtful_ = 0, doubtful_blocked_ = 0;  // tasks that run for clients that are not proven
  std::uint64_t replaced_ = 0, dropped_ = 0;
  bool slow_turn_ = false;  // if one for a slow client waits, it is next
  // When the first of the slow calls to proven clients began, if these are many.
  std::atomic<Clock::rep> wary_since_{not_wary};
  bool stopping_ = false, watcher_sleeps_ = false;
  std::thread watcher_;
};

}  // namespace takt::events
