// Calls that are not used at present.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "threads/locks/priority_mutex.h"

namespace takt::async {

class AsyncCalls;
class Call;

// Any thread. Taking and giving back need no lock. A call that was made here stays until this ends.
class SpareCalls {
 public:
  SpareCalls() = default;
  // No call may be in use.
  ~SpareCalls();
  SpareCalls(const SpareCalls&) = delete;
  SpareCalls& operator=(const SpareCalls&) = delete;

  // One that was given back; null if there is none.
  Call* take() noexcept;
  // Makes one more. Locks. May throw std::bad_alloc.
  Call& make(AsyncCalls& of);
  void give_back(Call& call) noexcept;

 private:
  // A stack of calls that are named by their numbers, from 1 on. Each change of its head increases a count
  // beside the number, so that a thread that has read an older head does not take it for the present one.
  struct Head {
    std::uint32_t first = 0, changes = 0;
  };
  // The calls by number, in parts that double, so that none moves.
  static constexpr std::size_t first_part = 64, most_parts = 26;
  static std::size_t part_of(std::uint32_t number) {
    return static_cast<std::size_t>(std::bit_width((number - 1) / first_part + 1)) - 1;
  }
  Call*& place_of(std::uint32_t number) {
    const std::size_t part = part_of(number);
    return parts_[part][number - 1 - first_part * ((std::size_t{1} << part) - 1)];
  }

  std::atomic<Head> head_{};
  std::array<std::unique_ptr<Call*[]>, most_parts> parts_;  // constant where there is a call
  os::PriorityMutex making_;
  std::uint32_t made_ = 0;  // guarded by the mutex
};

}  // namespace takt::async
