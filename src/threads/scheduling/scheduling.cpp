#include "threads/scheduling/scheduling.h"

#include <pthread.h>
#include <sched.h>

#include <chrono>
#include <thread>

#include "threads/scheduling/held_reservation.h"
#include "threads/thread.h"

namespace takt::os {
namespace {

int to_system(SchedulingClass scheduling_class) {
  switch (scheduling_class) {
    case SchedulingClass::fifo:
      return SCHED_FIFO;
    case SchedulingClass::round_robin:
      return SCHED_RR;
    case SchedulingClass::other:
      break;
  }
  return SCHED_OTHER;
}

}  // namespace

NativePriorities native_priorities(SchedulingClass scheduling_class) {
  const int policy = to_system(scheduling_class);
  return {::sched_get_priority_min(policy), ::sched_get_priority_max(policy)};
}

// Through pthread, which caches the value for pthread_getschedparam().
int set_scheduling_of(pthread_t thread, const Scheduling& scheduling) noexcept {
  sched_param parameters{};
  parameters.sched_priority = scheduling.priority;
  return ::pthread_setschedparam(thread, to_system(scheduling.scheduling_class), &parameters);
}

int set_scheduling(const Scheduling& scheduling) noexcept {
  if (HeldReservation::note(scheduling)) return 0;
  return set_scheduling_of(::pthread_self(), scheduling);
}

Scheduling scheduling() noexcept { return scheduling_of(::pthread_self()); }

Scheduling scheduling_of(pthread_t thread) noexcept {
  sched_param parameters{};
  int policy = SCHED_OTHER;
  ::pthread_getschedparam(thread, &policy, &parameters);
  const SchedulingClass known = policy == SCHED_FIFO ? SchedulingClass::fifo
                                : policy == SCHED_RR ? SchedulingClass::round_robin
                                                     : SchedulingClass::other;
  return {known, parameters.sched_priority};
}

void yield_processor() noexcept {
  constexpr std::chrono::microseconds pause{20};
  if (HeldReservation::is_held())
    std::this_thread::sleep_for(pause);
  else
    std::this_thread::yield();
}

bool may_use(const Scheduling& wanted) {
  bool may = false;
  auto thread = Thread::start({.name = "takt-may-use"}, [&] { may = set_scheduling(wanted) == 0; });
  if (thread) thread->join();
  return may;
}

}  // namespace takt::os
