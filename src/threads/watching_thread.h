// The process's threads that keep times for all others.
#pragma once

#include <functional>

#include "threads/raised_thread.h"

namespace takt::os {

// A detached thread that wakes others when their time is over or their peer is gone. Calls of every priority
// depend on it, so it runs above all of them. One object for each purpose, never destroyed. The owner locks,
// and so does the thread to call ended().
class WatchingThread {
 public:
  constexpr WatchingThread() = default;
  WatchingThread(const WatchingThread&) = delete;
  WatchingThread& operator=(const WatchingThread&) = delete;

  // As RaisedThread.
  bool start(const ThreadOptions& options, std::move_only_function<void()> body);
  void ended() noexcept;
  bool runs() const noexcept { return thread_.runs(); }

  // All such threads, also later ones, run with that priority of SCHED_FIFO or higher from now on, until the
  // process ends; one less if the system does not allow it. Until then they have the scheduling of the thread
  // that started them. Returns 0, or an errno value if one exists and gets neither. Any thread.
  static int run_at_least(int priority) noexcept;

 private:
  int raise() noexcept;

  RaisedThread thread_;
  WatchingThread* next_ = nullptr;
  bool is_listed_ = false;
};

}  // namespace takt::os
