// Counts the calls of operations and their durations.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <takt/server/server_call.h>

#include "threads/locks/priority_mutex.h"

namespace takt::adapter {

// The counts of one operation of one skeleton. Durations are in ticks (os/time/ticks.h). Any thread; neither
// locks nor allocates.
class OperationCount {
 public:
  // Buckets for eighths of each power of two, the shortest durations first.
  static constexpr std::size_t buckets = 512;
  // The longest duration of a bucket, which is at most 1/8 too high for a call in it.
  static constexpr std::uint64_t highest_in(std::size_t bucket) {
    const std::size_t exponent = bucket / parts, limit = parts + bucket % parts + 1;
    return exponent >= 60 ? UINT64_MAX : ((limit << exponent) + parts - 1) / parts - 1;
  }
  static constexpr std::size_t bucket_of(std::uint64_t duration) {
    return (place_of(duration) + parts) % buckets;
  }

  void add(std::uint64_t duration) noexcept {
    counts_[place_of(duration)].fetch_add(1, std::memory_order_relaxed);
  }
  void add_exception(bool of_system) noexcept {
    (of_system ? system_exceptions_ : user_exceptions_).fetch_add(1, std::memory_order_relaxed);
  }

  std::uint64_t calls_in(std::size_t bucket) const {
    return counts_[(bucket + buckets - parts) % buckets].load(std::memory_order_relaxed);
  }
  std::uint64_t user_exceptions() const { return user_exceptions_.load(std::memory_order_relaxed); }
  std::uint64_t system_exceptions() const { return system_exceptions_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::size_t parts = 8;

  // As a float, a duration has its exponent and three bits of its fraction side by side. Their remainder is
  // always in the array, even if processors' counters differ so that the duration is negative. This takes
  // fewer instructions than counting bits.
  static constexpr std::size_t place_of(std::uint64_t duration) {
    return std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<std::int64_t>(duration))) >> 20 &
           (buckets - 1);
  }

  std::array<std::atomic<std::uint64_t>, buckets> counts_{};
  std::atomic<std::uint64_t> user_exceptions_{0}, system_exceptions_{0};
};

// Finds an operation's counts by an address that identifies it. Any thread. Finding takes no lock; the first
// call of an operation takes one and allocates 4 KiB.
class OperationCounts {
 public:
  static constexpr std::size_t most_operations = 1024;

  OperationCounts() {
    for (auto& key : keys_) key.store(empty, std::memory_order_relaxed);
  }

  // Counts a call of that duration. False if the operation was not added, or is not in its usual place.
  bool count(std::uintptr_t key, std::uint64_t duration) noexcept {
    const std::size_t place = home(key);
    if (keys_[place].load(std::memory_order_acquire) != key) [[unlikely]]
      return false;
    counts_[place].load(std::memory_order_relaxed)->add(duration);
    return true;
  }
  // Null if the operation was not added.
  OperationCount* find(std::uintptr_t key) const noexcept;
  // Adds the operation, or returns the counts that another thread has added meanwhile. Without memory, or
  // beyond most_operations, returns those of calls without an operation.
  OperationCount& add(std::uintptr_t key, const std::string& interface,
                      const std::string& operation) noexcept;
  // Counts calls whose operation is not known, such as those of objects that are not found.
  OperationCount& unknown() { return unknown_; }
  const OperationCount& unknown() const { return unknown_; }

  struct Operation {
    std::string interface;  // a repository id; empty if unknown
    std::string operation;
    OperationCount count;
  };
  // They live as long as this object. In the order of their first calls.
  std::vector<const Operation*> all() const;

 private:
  static constexpr std::size_t entries = 4 * most_operations;
  static std::size_t home(std::uintptr_t key) { return key / 8 % entries; }
  static constexpr std::uintptr_t empty = 1;  // the address of no operation

  // A hash table with linear probing. Two arrays, because that takes fewer instructions.
  std::array<std::atomic<std::uintptr_t>, entries> keys_;
  std::array<std::atomic<OperationCount*>, entries> counts_{};
  OperationCount unknown_;
  mutable os::PriorityMutex mutex_;  // guards operations_, and changes of the table
  std::deque<Operation> operations_;
};

}  // namespace takt::adapter
