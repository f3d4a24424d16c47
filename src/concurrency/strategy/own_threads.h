// Base of strategies that have their own threads.
#pragma once

#include <cstdint>
#include <mutex>

#include "concurrency/strategy/concurrency.h"
#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::server {

// Never serves in the caller's thread: run_once() only waits.
class OwnThreads : public ServerConcurrency {
 public:
  bool needs_caller() const final { return false; }
  void run_once(std::chrono::nanoseconds timeout) final;
  void wake() final;

 protected:
  // Ends present and future calls of run_once(). Any thread.
  void wake_permanently();

 private:
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  std::uint64_t wakes_ = 0;
  bool over_ = false;
};

// Both throw NO_RESOURCES; `error` is an errno value.
[[noreturn, gnu::cold]] void throw_cannot_accept(int error);
[[noreturn]] void throw_no_thread(unsigned wanted, int error);

}  // namespace takt::server
