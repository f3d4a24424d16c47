// System scheduling of threads.
#pragma once

#include <pthread.h>

namespace takt::os {

enum class SchedulingClass { other, fifo, round_robin };

// A thread of a real-time class preempts all threads of lower priority, and of class other.
struct Scheduling {
  SchedulingClass scheduling_class = SchedulingClass::other;
  int priority = 0;  // 1 to 99 in the real-time classes on Linux, 0 in class other
  friend bool operator==(const Scheduling&, const Scheduling&) = default;
};

struct NativePriorities {
  int lowest = 0;
  int highest = 0;
};
NativePriorities native_priorities(SchedulingClass scheduling_class);

// Sets the scheduling of the calling thread; threads that it starts later inherit it. One system call.
// Returns 0 or an errno value, EPERM if the process may not (CAP_SYS_NICE, RLIMIT_RTPRIO). A thread that
// holds a reservation (held_reservation.h) keeps it, and gets this scheduling afterwards. So does one that
// runs at a higher priority that is lent to it (priority_loan.h).
int set_scheduling(const Scheduling& scheduling) noexcept;
// The scheduling of the calling thread by itself, without what is lent to it.
Scheduling scheduling() noexcept;
// The same for another running thread of the process.
int set_scheduling_of(pthread_t thread, const Scheduling& scheduling) noexcept;
Scheduling scheduling_of(pthread_t thread) noexcept;

// Lets other threads of the caller's priority run. A thread with a reservation would give up the rest of it
// until its next period, so it sleeps for a moment instead.
void yield_processor() noexcept;

}  // namespace takt::os
