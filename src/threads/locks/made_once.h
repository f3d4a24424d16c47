// An object that its first user makes.
#pragma once

#include <memory>
#include <mutex>

#include "threads/locks/priority_mutex.h"

namespace takt::os {

// Any thread. T may be incomplete where this is a member.
template <class T>
class MadeOnce {
 public:
  // The object. If there is none yet, make() makes it under the lock; where that is null or throws, the next
  // call tries again.
  template <class Make>
  std::shared_ptr<T> get(Make make) {
    const std::lock_guard lock(mutex_);
    if (!made_) made_ = make();
    return made_;
  }
  // The same, made without arguments.
  std::shared_ptr<T> get() {
    return get([] { return std::make_shared<T>(); });
  }

 private:
  PriorityMutex mutex_;
  std::shared_ptr<T> made_;
};

}  // namespace takt::os
