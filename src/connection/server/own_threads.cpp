#include "connection/server/own_threads.h"

namespace takt::connection {

void OwnThreads::run_once(std::chrono::nanoseconds timeout) {
  std::unique_lock lock(mutex_);
  const auto seen = wakes_;
  changed_.wait_for(lock, timeout, [&] { return wakes_ != seen || over_; });
}

void OwnThreads::wake() {
  std::lock_guard lock(mutex_);
  ++wakes_;
  changed_.notify_all();
}

void OwnThreads::wake_for_good() {
  std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

}  // namespace takt::connection
