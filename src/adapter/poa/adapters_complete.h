// Whether the program has created its initial adapters.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include "threads/locks/priority_condition.h"

namespace takt::adapter {

// Until then a persistent reference may lead to an adapter that is yet to be created, as after a restart. Any
// thread. If the ORB never calls begin(), its adapters count as complete.
class AdaptersComplete {
 public:
  // Incomplete until complete(), or until `timeout` has passed. Call at most once.
  void begin(std::chrono::nanoseconds timeout);
  // From now on a missing adapter does not exist.
  void complete();
  // Waits until complete(), or until the timeout has passed. True: look again for a missing adapter; false:
  // the adapters were complete. Throws TRANSIENT if `most` threads already wait.
  bool wait_for_adapter(std::size_t most);

 private:
  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  bool complete_ = true;
  bool begun_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::size_t waiting_ = 0;
};

}  // namespace takt::adapter
