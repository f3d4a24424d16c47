// Threads that make calls for threads that do not wait for the replies.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <vector>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/borrower.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::async {

// The scheduling of a thread that works for one of that urgency: its priority of SCHED_FIFO, or the ordinary
// one.
os::Scheduling scheduling_of(os::Urgency urgency);

// Two per process, so that each thread's connections serve later calls. Any thread. A thread starts if no
// other is idle. At usual_threads, ordinary calls wait for a thread. If none becomes free for `patience`,
// because the calls may wait for those behind them, another thread starts, up to most_threads. Idle threads
// exit after a while. A thread runs at ordinary priority but for urgent calls. These pass all that are less
// urgent, and as long as threads can be begun, they have their priority from the moment at which they are
// added. Never destroyed: a process that ends does not wait for calls in progress.
class DeferredCalls {
 public:
  static constexpr std::size_t usual_threads = 64, most_threads = 1024;
  static constexpr std::chrono::milliseconds patience{5};

  // For work of the ORB, such as calls that are sent again.
  static DeferredCalls& of_process();
  // For work that runs the program's servants and destructors, which that of the ORB does not wait for.
  static DeferredCalls& of_programs();

  // `call` must not throw. It begins at that priority of SCHED_FIFO; 0, or that of reservations: at ordinary
  // priority. Allocates, and may start a thread. Throws NO_RESOURCES if there is no thread and none can be
  // started.
  void add(std::function<void()> call, os::Urgency urgency = 0);

 private:
  struct Waiting {
    std::function<void()> call;
    os::Urgency urgency;
  };
  struct Server {
    os::Thread thread = {};
    os::PriorityCondition changed = {};
    bool is_called = false;
    os::Urgency at = 0;  // the thread's priority; others write it only while the thread is idle
  };
  using Servers = std::list<Server>;

  DeferredCalls() = default;
  int begin_thread(os::Urgency urgency) noexcept;
  void begin_watching() noexcept;
  void call_idle(os::Urgency urgency);
  static void run_at(Server& self, os::Urgency urgency);
  void serve(Servers::iterator self);
  void watch();

  os::PriorityMutex mutex_;
  std::deque<Waiting> waiting_;  // the most urgent first
  Servers servers_;
  Servers ended_;                        // the last that has ended; the next one that ends joins it
  std::vector<Servers::iterator> idle_;  // has room for all
  std::uint64_t taken_ = 0;              // calls that have got their thread
  bool watched_ = false;                 // a thread is in watch()
  os::PriorityCondition never_;
};

}  // namespace takt::async
