#include "threads/watching_thread.h"

#include <mutex>
#include <utility>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

namespace {

// Never destroyed, because threads may run until the process ends.
PriorityMutex& mutex_of_watching() {
  static PriorityMutex* const made = new PriorityMutex;
  return *made;
}

// Guarded by the mutex, as each thread's own state:
constinit WatchingThread* first_watching = nullptr;
constinit int priority_of_watching = 0;  // the minimum; 0: inherited

}  // namespace

bool WatchingThread::start(const ThreadOptions& options, std::move_only_function<void()> body) {
  const std::lock_guard lock(mutex_of_watching());
  if (!thread_.start(options, std::move(body))) return false;
  if (!std::exchange(is_listed_, true)) next_ = std::exchange(first_watching, this);
  raise();
  return true;
}

void WatchingThread::ended() noexcept {
  const std::lock_guard lock(mutex_of_watching());
  thread_.ended();
}

int WatchingThread::run_at_least(int priority) noexcept {
  const std::lock_guard lock(mutex_of_watching());
  if (priority <= priority_of_watching) return 0;
  priority_of_watching = priority;
  int error = 0;
  for (WatchingThread* each = first_watching; each; each = each->next_)
    if (const int refused = each->raise()) error = refused;
  return error;
}

// Call with the mutex held.
int WatchingThread::raise() noexcept {
  const int error = thread_.run_at_least(priority_of_watching);
  return error == 0 || priority_of_watching == 1 ? error : thread_.run_at_least(priority_of_watching - 1);
}

}  // namespace takt::os
