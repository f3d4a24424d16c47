#include "threads/scheduling/scheduling.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <thread>

#include "threads/scheduling/borrower.h"
#include "threads/scheduling/held_reservation.h"

namespace takt::os {

NativePriorities native_priorities(SchedulingClass scheduling_class) {
  const int policy = to_system(scheduling_class);
  return {::sched_get_priority_min(policy), ::sched_get_priority_max(policy)};
}

int set_scheduling_of(pthread_t thread, const Scheduling& scheduling) noexcept {
  return Borrower::set_own(thread, scheduling);
}

int set_scheduling(const Scheduling& scheduling) noexcept {
  if (HeldReservation::note(scheduling)) return 0;
  if (Borrower::borrows()) [[unlikely]]
    return Borrower::set_own(::pthread_self(), scheduling);
  return Borrower::set_by_pthread(::pthread_self(), scheduling);
}

// The C library knows it, unless it was changed while something is lent.
Scheduling scheduling() noexcept {
  if (Borrower::present() != 0) [[unlikely]]
    return Borrower::own(::pthread_self());
  return Borrower::known_to_pthread(::pthread_self());
}

Scheduling scheduling_of(pthread_t thread) noexcept { return Borrower::own(thread); }

void yield_processor() noexcept {
  constexpr std::chrono::microseconds pause{20};
  if (HeldReservation::is_held())
    std::this_thread::sleep_for(pause);
  else
    std::this_thread::yield();
}

}  // namespace takt::os
