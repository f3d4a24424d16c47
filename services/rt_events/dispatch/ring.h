// A bounded queue of small numbers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace takt::rt_events {

// First in, first out, for any number of threads on both ends. Lock-free: a thread that is stopped anywhere
// in push() or pop() delays no other, so threads of all priorities may share it. Never allocates after
// construction.
//
// A slot has the number of the round through the ring in which it is used, and a value or none. A single
// change of the slot publishes a value; any thread may then move `tail_` or `head_` on.
class Ring {
 public:
  static constexpr std::uint32_t most = (1U << 24) - 2;  // largest value

  // `capacity`: at least 1.
  explicit Ring(std::size_t capacity) : slots_(capacity) {}

  // False: the ring is full.
  bool push(std::uint32_t value) {
    for (;;) {
      std::uint64_t tail = tail_.load(std::memory_order_acquire);
      const std::uint64_t round = tail / slots_.size();
      std::atomic<std::uint64_t>& slot = slots_[tail % slots_.size()];
      std::uint64_t found = slot.load(std::memory_order_acquire);
      if (round_of(found) < round) return false;  // a value of the round before
      const bool put =
          found == empty_in(round) && slot.compare_exchange_strong(found, empty_in(round) | (value + 1));
      if (!put && found == empty_in(round)) continue;
      tail_.compare_exchange_strong(tail, tail + 1);
      if (put) return true;
    }
  }
  // The oldest value; none if the ring is empty.
  std::optional<std::uint32_t> pop() {
    for (;;) {
      std::uint64_t head = head_.load(std::memory_order_acquire);
      const std::uint64_t round = head / slots_.size();
      std::atomic<std::uint64_t>& slot = slots_[head % slots_.size()];
      std::uint64_t found = slot.load(std::memory_order_acquire);
      if (found == empty_in(round)) return {};
      const bool taken = round_of(found) == round && slot.compare_exchange_strong(found, empty_in(round + 1));
      if (!taken && round_of(found) == round) continue;
      head_.compare_exchange_strong(head, head + 1);
      if (taken) return static_cast<std::uint32_t>(found & value_bits) - 1;
    }
  }
  // May be outdated when it returns.
  std::size_t size() const {
    const std::uint64_t head = head_.load();
    const std::uint64_t tail = tail_.load();
    return tail > head ? static_cast<std::size_t>(tail - head) : 0;
  }
  // Whether pop() would find nothing.
  bool empty() const {
    const std::uint64_t head = head_.load();
    return slots_[head % slots_.size()].load() == empty_in(head / slots_.size());
  }
  std::size_t capacity() const { return slots_.size(); }

 private:
  static constexpr unsigned round_shift = 24;
  static constexpr std::uint64_t value_bits = (1U << round_shift) - 1;
  static constexpr std::uint64_t empty_in(std::uint64_t round) { return round << round_shift; }
  static constexpr std::uint64_t round_of(std::uint64_t slot) { return slot >> round_shift; }

  std::vector<std::atomic<std::uint64_t>> slots_;
  alignas(64) std::atomic<std::uint64_t> head_{0};
  alignas(64) std::atomic<std::uint64_t> tail_{0};
};

}  // namespace takt::rt_events
