// Writes messages that are held for later ones while the thread that would write them is blocked.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <vector>

#include "threads/locks/priority_condition.h"
#include "threads/locks/priority_mutex.h"

namespace takt::transport {

class WriteBatch;

// Has a thread while messages are held, and a second longer. Any thread.
class BatchGuard : public std::enable_shared_from_this<BatchGuard> {
 public:
  // The thread looks this often. So a user that blocks delays the messages before by twice this time at most.
  static constexpr std::chrono::milliseconds interval{1};

  // Looks after the batch until that is over. May throw std::bad_alloc.
  void watch(std::shared_ptr<WriteBatch> batch);

  // For a batch that is_used() from now on: whether to call wake().
  bool sleeps() const { return sleeps_.load(); }
  // Makes the thread look again. False: there is none, and none can be started.
  bool wake() noexcept;

 private:
  void run() noexcept;
  bool look_at_all();
  bool any_used() const;

  std::atomic<bool> sleeps_{true};  // or there is no thread
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  // Guarded by the mutex:
  std::vector<std::shared_ptr<WriteBatch>> batches_;
  bool running_ = false;
};

}  // namespace takt::transport
