#include "os/threads/running_thread.h"

namespace takt::os {

RunningThread RunningThread::mine() noexcept {
  RunningThread thread{.handle = ::pthread_self()};
  ::pthread_getcpuclockid(thread.handle, &thread.clock);
  return thread;
}

std::optional<std::chrono::nanoseconds> RunningThread::processor_time() const noexcept {
  timespec used{};
  if (::clock_gettime(clock, &used) != 0) return {};
  return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
}

int RunningThread::set_scheduling(const Scheduling& scheduling) const noexcept {
  return set_scheduling_of(handle, scheduling);
}

Scheduling RunningThread::scheduling() const noexcept { return scheduling_of(handle); }

}  // namespace takt::os
