// Threads that make calls for threads that do not wait for the replies.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"
#include "threads/thread.h"

namespace takt::async {

// Two per process, so that each thread's connections serve later calls. Any thread. A thread starts if no
// other is idle. At usual_threads, calls wait for a thread. If none becomes free for `patience`, because the
// calls may wait for those behind them, another thread starts, up to most_threads. Idle threads exit after a
// while. All run at ordinary priority, whatever the callers'. Never destroyed: a process that ends does not
// wait for calls in progress.
class DeferredCalls {
 public:
  static constexpr std::size_t usual_threads = 64, most_threads = 1024;
  static constexpr std::chrono::milliseconds patience{5};

  // For work of the ORB, such as calls that are sent again.
  static DeferredCalls& of_process();
  // For work that runs the program's servants and destructors, which that of the ORB does not wait for.
  static DeferredCalls& of_programs();

  // `call` must not throw. Allocates, and may start a thread. Throws NO_RESOURCES if there is no thread and
  // none can be started.
  void add(std::function<void()> call);

 private:
  using Threads = std::list<os::Thread>;

  DeferredCalls() = default;
  int begin_thread() noexcept;
  void begin_watching() noexcept;
  void serve(Threads::iterator self);
  void watch();

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::deque<std::function<void()>> waiting_;
  Threads threads_;
  Threads ended_;  // the last that has ended; the next one that ends joins it
  std::size_t idle_ = 0;
  std::uint64_t taken_ = 0;  // calls that have got their thread
  bool watched_ = false;     // a thread is in watch()
  os::PriorityCondition never_;
};

}  // namespace takt::async
