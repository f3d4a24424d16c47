#include "threads/locks/priority_condition.h"

#include <ctime>

namespace takt::os {

void PriorityCondition::wait(Lock& lock) { ::pthread_cond_wait(&condition_, &lock.mutex()->mutex_); }

bool PriorityCondition::wait_until(Lock& lock, Clock::time_point deadline) {
  const timespec until = PriorityMutex::to_system(deadline);
  return ::pthread_cond_clockwait(&condition_, &lock.mutex()->mutex_, CLOCK_MONOTONIC, &until) == 0;
}

}  // namespace takt::os
