// How the system schedules the calling thread.
#pragma once

#include <pthread.h>

namespace takt::os {

enum class SchedulingClass { other, fifo, round_robin };

// A thread of a real-time class runs before all of lower priority, and of class other.
struct Scheduling {
  SchedulingClass scheduling_class = SchedulingClass::other;
  int priority = 0;  // 1 to 99 in the real-time classes on Linux, 0 in the other
  friend bool operator==(const Scheduling&, const Scheduling&) = default;
};

struct NativePriorities {
  int lowest = 0;
  int highest = 0;
};
NativePriorities native_priorities(SchedulingClass scheduling_class);

// Of the calling thread; threads that it starts from then on inherit it. One system call. An errno value,
// EPERM where the process may not (CAP_SYS_NICE, RLIMIT_RTPRIO), or 0. Where the thread holds a reservation
// (held_reservation.h), it keeps that, and runs so afterwards.
int set_scheduling(const Scheduling& scheduling) noexcept;
Scheduling scheduling() noexcept;
// The same of a thread of the process that runs.
int set_scheduling_of(pthread_t thread, const Scheduling& scheduling) noexcept;
Scheduling scheduling_of(pthread_t thread) noexcept;

// Lets other threads of the calling one's priority run. A thread with a reservation would give up what is
// left of it until its next period, so that it sleeps for a moment instead.
void yield_processor() noexcept;

// Whether this process may use that priority; tried in a thread of its own.
bool may_use(const Scheduling& scheduling);

}  // namespace takt::os
