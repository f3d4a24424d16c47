#include "concurrency/strategy/ready_backlog.h"

#include <mutex>
#include <new>

namespace takt::server {

bool ReadyBacklog::push(const Ready& ready) {
  std::lock_guard lock(mutex_);
  if (waiting_.size() >= bounds_->requests) return false;
  try {
    waiting_.push_back(ready);
  } catch (const std::bad_alloc&) {
    return false;
  }
  count_.store(waiting_.size());
  return true;
}

std::optional<ReadyBacklog::Ready> ReadyBacklog::pop() {
  std::lock_guard lock(mutex_);
  if (waiting_.empty()) return std::nullopt;
  const Ready first = waiting_.front();
  waiting_.pop_front();
  count_.store(waiting_.size());
  return first;
}

}  // namespace takt::server
