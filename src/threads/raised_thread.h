// A thread that runs at the highest priority that others need it to have.
#pragma once

#include <pthread.h>

#include <functional>

#include "threads/thread.h"

namespace takt::os {

// For detached threads that work for callers of several priorities. Not thread-safe: the owner locks, and so
// does the thread to call ended().
class RaisedThread {
 public:
  constexpr RaisedThread() = default;

  // Starts it with the caller's scheduling. Returns false if the system has no more threads.
  bool start(const ThreadOptions& options, std::move_only_function<void()> body);
  // Call in the thread, when it is about to end.
  void ended() noexcept { runs_ = false; }
  bool runs() const noexcept { return runs_; }
  // Raises it to that priority of SCHED_FIFO, if it runs at less. The caller does it, because under load the
  // thread might not run to do so itself. Returns 0 or an errno value.
  int run_at_least(int priority) noexcept;

 private:
  pthread_t handle_{};
  bool runs_ = false;
  int priority_ = 0;
};

}  // namespace takt::os
