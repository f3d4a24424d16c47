#include "threads/raised_thread.h"

#include <algorithm>
#include <utility>

#include "threads/scheduling/scheduling.h"

namespace takt::os {

bool RaisedThread::start(const ThreadOptions& options, std::move_only_function<void()> body) {
  auto thread = Thread::start(options, std::move(body));
  if (!thread) return false;
  handle_ = thread->handle();
  thread->detach();
  priority_ = scheduling_of(handle_).priority;
  return runs_ = true;
}

int RaisedThread::run_at_least(int priority) noexcept {
  if (!runs_ || priority <= priority_) return 0;
  const Scheduling wanted{SchedulingClass::fifo,
                          std::min(priority, native_priorities(SchedulingClass::fifo).highest)};
  const int error = set_scheduling_of(handle_, wanted);
  if (error == 0) priority_ = priority;
  return error;
}

}  // namespace takt::os
