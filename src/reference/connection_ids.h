// Numbers that identify connection descriptions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "threads/locks/priority_mutex.h"

namespace takt::reference {

// Equal descriptions get equal numbers. A forgotten description gets a new number, and so a new connection.
// References may name any number of addresses, so it remembers only the `most` recently used descriptions,
// and none that is longer than `longest_bytes` unless the caller allows it. Any thread. Locks briefly.
class ConnectionIds {
 public:
  static constexpr std::size_t most = 4096, longest_bytes = 512;

  // Returns a number from 1 up to below 2^62, never reused in this process. Descriptions longer than
  // `at_most` get a new number on each call. Allocates.
  std::uint64_t of(const std::string& description, std::size_t at_most = longest_bytes);
  std::size_t size() const;

 private:
  using Ids = std::unordered_map<std::string, std::uint64_t>;

  mutable os::PriorityMutex mutex_;
  Ids newer_, older_;  // older_ is dropped when newer_ is full
};

}  // namespace takt::reference
