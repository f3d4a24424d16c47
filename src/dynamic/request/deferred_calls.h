// Threads that make calls in the place of threads that do not wait for them.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <list>

#include "os/threads/priority_condition.h"
#include "os/threads/priority_mutex.h"
#include "os/threads/thread.h"

namespace takt::dynamic {

// One per process, so that each thread's connections serve later calls. Any thread. A thread begins when no
// other is idle, up to a limit, beyond which calls wait for one; it ends when it has been idle for a while.
// Never destroyed: a process that ends does not wait for calls in progress.
class DeferredCalls {
 public:
  static constexpr std::size_t most_threads = 64;

  static DeferredCalls& of_process();

  // `call` does not throw. Allocates, and may begin a thread. NO_RESOURCES where none can be begun and there
  // is none.
  void add(std::function<void()> call);

 private:
  using Threads = std::list<os::Thread>;

  DeferredCalls() = default;
  void serve(Threads::iterator self);
  void join_ended();

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::deque<std::function<void()>> waiting_;
  Threads threads_, ended_;
  std::size_t idle_ = 0;
};

}  // namespace takt::dynamic
