// Access to another running thread.
#pragma once

#include <pthread.h>

#include <chrono>
#include <ctime>
#include <optional>

#include "threads/scheduling/scheduling.h"

namespace takt::os {

// A handle of a thread. Any thread.
struct RunningThread {
  pthread_t handle{};
  clockid_t clock{};  // the clock of its processor time

  static RunningThread mine() noexcept;

  // Processor time used so far, by one system call. Empty if the thread no longer exists.
  std::optional<std::chrono::nanoseconds> processor_time() const noexcept;
  // The thread must not have ended. One system call; returns 0 or an errno value.
  int set_scheduling(const Scheduling& scheduling) const noexcept;
  // The thread must not have ended.
  Scheduling scheduling() const noexcept;
  // Lowers the thread to the lowest priority of its class; it must not have ended. Returns its previous
  // scheduling. Empty if it has no real-time priority, has a reservation, or the system refuses.
  std::optional<Scheduling> demote() const noexcept;
};

// Processor time that the calling thread has used so far. One system call.
std::chrono::nanoseconds thread_processor_time();

}  // namespace takt::os
