#include "os/scheduling.h"

#include <pthread.h>
#include <sched.h>

#include <fstream>

#include "os/thread.h"

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

long number_in(const char* path, long otherwise) {
  std::ifstream file(path);
  long number = 0;
  return file >> number ? number : otherwise;
}

}  // namespace

NativePriorities native_priorities(SchedulingClass scheduling_class) {
  const int policy = to_system(scheduling_class);
  return {::sched_get_priority_min(policy), ::sched_get_priority_max(policy)};
}

// By way of pthread, which remembers what pthread_getschedparam() will say.
int set_scheduling(const Scheduling& scheduling) noexcept {
  sched_param parameters{};
  parameters.sched_priority = scheduling.priority;
  return ::pthread_setschedparam(::pthread_self(), to_system(scheduling.scheduling_class), &parameters);
}

Scheduling scheduling() noexcept {
  sched_param parameters{};
  int policy = SCHED_OTHER;
  ::pthread_getschedparam(::pthread_self(), &policy, &parameters);
  const SchedulingClass known = policy == SCHED_FIFO ? SchedulingClass::fifo
                                : policy == SCHED_RR ? SchedulingClass::round_robin
                                                     : SchedulingClass::other;
  return {known, parameters.sched_priority};
}

bool may_use(const Scheduling& wanted) {
  bool may = false;
  auto thread = Thread::start({.name = "takt-may-use"}, [&] { may = set_scheduling(wanted) == 0; });
  if (thread) thread->join();
  return may;
}

std::string real_time_throttling() {
  const long period = number_in("/proc/sys/kernel/sched_rt_period_us", 1000000);
  const long runtime = number_in("/proc/sys/kernel/sched_rt_runtime_us", -1);
  if (runtime < 0 || runtime >= period) return {};
  return "real-time threads get " + std::to_string(runtime) + " us of each " + std::to_string(period) +
         " us at most (/proc/sys/kernel/sched_rt_runtime_us)";
}

}  // namespace takt::os
