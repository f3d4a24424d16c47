// Numbers for what connections are bound to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "os/threads/priority_mutex.h"

namespace takt::reference {

// Equal for equal descriptions, as long as one is not forgotten: then it gets another number, and who comes
// by it a connection of his own. References name any number of places, so no more than `most` are remembered,
// those that were asked for last, and none that is longer than any place is, unless the program has made it
// so. Any thread; locks, briefly.
class ConnectionIds {
 public:
  static constexpr std::size_t most = 4096, longest_bytes = 512;

  // Not 0, below 2^62, and never a number that stood for something else in this process. Another each time
  // for what is longer than that. Allocates.
  std::uint64_t of(const std::string& description, std::size_t at_most = longest_bytes);
  std::size_t size() const;

 private:
  using Ids = std::unordered_map<std::string, std::uint64_t>;

  mutable os::PriorityMutex mutex_;
  Ids newer_, older_;  // the older ones go when there are enough newer ones
};

}  // namespace takt::reference
