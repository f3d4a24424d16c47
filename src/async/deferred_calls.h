// Threads that make calls for threads that do not wait for the replies.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <list>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/thread.h"

namespace takt::async {

// One per process, so that each thread's connections serve later calls. Any thread. A thread starts if no
// other is idle. At most_threads, calls wait for a thread. Idle threads exit after a while.
// Never destroyed: a process that ends does not wait for calls in progress.
class DeferredCalls {
 public:
  static constexpr std::size_t most_threads = 64;

  static DeferredCalls& of_process();

  // `call` must not throw. Allocates, and may start a thread. Throws NO_RESOURCES if there is no thread and
  // none can be started.
  void add(std::function<void()> call);

 private:
  using Threads = std::list<os::Thread>;

  DeferredCalls() = default;
  void serve(Threads::iterator self);

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::deque<std::function<void()>> waiting_;
  Threads threads_;
  Threads ended_;  // the last that has ended; the next one that ends joins it
  std::size_t idle_ = 0;
};

}  // namespace takt::async
