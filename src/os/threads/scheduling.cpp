#include "os/threads/scheduling.h"

#include <pthread.h>
#include <sched.h>
#include <sys/utsname.h>

#include <cstdio>
#include <fstream>

#include "os/threads/thread.h"

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

// From 6.12 on Linux gives ordinary threads a part of each second on a processor that real-time threads would
// leave them nothing of. Only who may read debugfs can know whether it was changed.
std::string fair_server() {
  utsname system{};
  int major = 0, minor = 0;
  if (::uname(&system) != 0 || std::sscanf(system.release, "%d.%d", &major, &minor) != 2 || major < 6 ||
      (major == 6 && minor < 12))
    return {};
  constexpr long default_ns = 50'000'000;
  const long runtime = number_in("/sys/kernel/debug/sched/fair_server/cpu0/runtime", default_ns);
  if (runtime == 0) return {};
  return "ordinary threads that wait get " + std::to_string(runtime / 1000) +
         " us of a second before real-time ones (/sys/kernel/debug/sched/fair_server)";
}

std::string stopped_threads() {
  const long period = number_in("/proc/sys/kernel/sched_rt_period_us", 1000000);
  const long runtime = number_in("/proc/sys/kernel/sched_rt_runtime_us", -1);
  if (runtime < 0 || runtime >= period) return {};
  return "real-time threads get " + std::to_string(runtime) + " us of each " + std::to_string(period) +
         " us at most (/proc/sys/kernel/sched_rt_runtime_us)";
}

}  // namespace

NativePriorities native_priorities(SchedulingClass scheduling_class) {
  const int policy = to_system(scheduling_class);
  return {::sched_get_priority_min(policy), ::sched_get_priority_max(policy)};
}

// By way of pthread, which remembers what pthread_getschedparam() will say.
int set_scheduling_of(pthread_t thread, const Scheduling& scheduling) noexcept {
  sched_param parameters{};
  parameters.sched_priority = scheduling.priority;
  return ::pthread_setschedparam(thread, to_system(scheduling.scheduling_class), &parameters);
}

int set_scheduling(const Scheduling& scheduling) noexcept {
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

bool may_use(const Scheduling& wanted) {
  bool may = false;
  auto thread = Thread::start({.name = "takt-may-use"}, [&] { may = set_scheduling(wanted) == 0; });
  if (thread) thread->join();
  return may;
}

std::string real_time_throttling() {
  const std::string stopped = stopped_threads(), fair = fair_server();
  return stopped + (stopped.empty() || fair.empty() ? "" : "; ") + fair;
}

}  // namespace takt::os
