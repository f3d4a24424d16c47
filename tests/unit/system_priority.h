// The priority at which the system runs a thread.
#pragma once

#include <sched.h>
#include <sys/types.h>

namespace unit {

// 0: the calling thread. Includes what is lent, but not what it inherits by a mutex.
inline int system_priority_of(pid_t thread = 0) {
  sched_param parameters{};
  ::sched_getparam(thread, &parameters);
  return parameters.sched_priority;
}

}  // namespace unit
