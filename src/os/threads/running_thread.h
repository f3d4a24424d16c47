// A thread as another one sees it.
#pragma once

#include <pthread.h>

#include <chrono>
#include <ctime>
#include <optional>

#include "os/threads/scheduling.h"

namespace takt::os {

// A name of it. Any thread.
struct RunningThread {
  pthread_t handle{};
  clockid_t clock{};  // of its processor time

  static RunningThread mine() noexcept;

  // What it has used so far: one system call. Nothing where there is no such thread any more.
  std::optional<std::chrono::nanoseconds> processor_time() const noexcept;
  // Only while it runs: one system call; an errno value, or 0.
  int set_scheduling(const Scheduling& scheduling) const noexcept;
  // Likewise.
  Scheduling scheduling() const noexcept;
  // Likewise, to the lowest priority of its class. Gives what it ran at before; nothing where it has no
  // real-time priority, has a reservation, or the system refuses.
  std::optional<Scheduling> demote() const noexcept;
};

// What the calling thread has used so far; it stands still while others run. A system call.
std::chrono::nanoseconds thread_processor_time();

}  // namespace takt::os
