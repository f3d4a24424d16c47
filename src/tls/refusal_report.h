// Reports of refused handshakes, bounded in number.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>

#include <takt/os/clock.h>

#include "threads/locks/priority_mutex.h"

namespace takt::transport {

// Peers that fail on purpose cannot fill a disk, nor the share that the log has for warnings: in a minute
// the first `most` reasons are said. The others are counted, and their number is said with the first refusal
// after the minute. Any thread.
class RefusalReport {
 public:
  static constexpr unsigned most = 20;
  static constexpr std::chrono::minutes span{1};
  using Say = std::function<void(const std::string&)>;

  explicit RefusalReport(Say say) : say_(std::move(say)) {}
  void report(const std::string& why, os::TimePoint now);

 private:
  const Say say_;
  os::PriorityMutex mutex_;  // guards what follows
  os::TimePoint begin_{};    // when the present minute began
  unsigned refused_ = 0;     // since then
};

}  // namespace takt::transport
