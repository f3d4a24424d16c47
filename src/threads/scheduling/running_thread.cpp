#include "threads/scheduling/running_thread.h"

#include <sched.h>

#include "threads/scheduling/scheduling_attributes.h"

namespace takt::os {

namespace {
std::optional<std::chrono::nanoseconds> reading_of(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return {};
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

// The kernel encodes a thread's number in its processor-time clock id.
pid_t number_of_thread(clockid_t clock) { return static_cast<pid_t>(~(clock >> 3)); }

bool has_reservation(clockid_t clock) {
  constexpr int reset_on_fork = 0x40000000;
  return (::sched_getscheduler(number_of_thread(clock)) & ~reset_on_fork) ==
         static_cast<int>(SchedulingAttributes::deadline_class);
}
}  // namespace

RunningThread RunningThread::mine() noexcept {
  RunningThread thread{.handle = ::pthread_self()};
  ::pthread_getcpuclockid(thread.handle, &thread.clock);
  return thread;
}

std::optional<std::chrono::nanoseconds> RunningThread::processor_time() const noexcept {
  return reading_of(clock);
}

int RunningThread::set_scheduling(const Scheduling& scheduling) const noexcept {
  return set_scheduling_of(handle, scheduling);
}

Scheduling RunningThread::scheduling() const noexcept { return scheduling_of(handle); }

std::optional<Scheduling> RunningThread::demote() const noexcept {
  const Scheduling before = scheduling();
  if (before.scheduling_class == SchedulingClass::other || has_reservation(clock)) return std::nullopt;
  const Scheduling lowest{before.scheduling_class, native_priorities(before.scheduling_class).lowest};
  if (set_scheduling(lowest) != 0) return std::nullopt;
  return before;
}

// Every thread has this clock, so the reading is never empty.
std::chrono::nanoseconds thread_processor_time() {
  return reading_of(CLOCK_THREAD_CPUTIME_ID).value_or(std::chrono::nanoseconds{});
}

}  // namespace takt::os
