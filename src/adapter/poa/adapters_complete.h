// Whether the program has made the adapters that it makes when it starts.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>

#include "os/threads/priority_condition.h"

namespace takt::adapter {

// Until then a persistent reference may lead to an adapter that is about to be made, as after a restart. Any
// thread; an ORB that never says begin() has complete adapters.
class AdaptersComplete {
 public:
  // Not complete until complete(), or until `timeout` has passed. Once.
  void begin(std::chrono::nanoseconds timeout);
  // From now on what is not there is not there.
  void complete();
  // Returns after complete(), or when the timeout has passed.
  void wait_until_complete();
  // Waits for an adapter that is not there: true, look again; false: it was complete already. TRANSIENT where
  // as many wait as may.
  bool wait_for_adapter(std::size_t most);

 private:
  void wait(os::PriorityCondition::Lock& lock);

  os::PriorityMutex mutex_;
  os::PriorityCondition changed_;
  bool complete_ = true;
  bool begun_ = false;
  std::chrono::steady_clock::time_point deadline_;
  std::size_t waiting_ = 0;
};

}  // namespace takt::adapter
