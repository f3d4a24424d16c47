// A limit on the memory that what peers send may take, and how much of it is taken.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace takt {

// A snapshot of a MemoryBudget; its numbers are read one after the other, without a lock.
struct MemoryUse {
  std::size_t taken_bytes = 0;
  std::size_t peak_bytes = 0;  // the most that was ever taken
  std::size_t limit_bytes = 0;
  std::uint64_t refusals = 0;  // how often something did not fit, in a narrower budget too
};

// Counts octets against a limit, and against that of a wider budget: a connection's budget counts against its
// server's. It owns no memory and allocates none; take() and give_back() never block. Any thread. A wider
// budget outlives the narrower ones.
class MemoryBudget {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  // An owner with less than this need not take it from a budget: a connection's usual buffers are free.
  static constexpr std::size_t uncounted_bytes = 64 * 1024;

  explicit MemoryBudget(std::size_t limit_bytes = unlimited, MemoryBudget* wider = nullptr)
      : limit_bytes_(limit_bytes), wider_(wider) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // False if they would exceed this limit or a wider one; then nothing is taken.
  [[nodiscard]] bool take(std::size_t bytes) {
    std::size_t taken = taken_bytes_.load(std::memory_order_relaxed);
    do {
      const std::size_t limit = limit_bytes_.load(std::memory_order_relaxed);
      if (taken > limit || bytes > limit - taken) {
        count_refusal();
        return false;
      }
    } while (!taken_bytes_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    if (wider_ && !wider_->take(bytes)) {
      taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
      refusals_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    note_peak(taken + bytes);
    return true;
  }
  // What take() gave; at most as much.
  void give_back(std::size_t bytes) {
    taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    if (wider_) wider_->give_back(bytes);
  }

  std::size_t taken_bytes() const { return taken_bytes_.load(std::memory_order_relaxed); }
  std::size_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  std::uint64_t refusals() const { return refusals_.load(std::memory_order_relaxed); }
  MemoryUse use() const {
    return {taken_bytes(), peak_bytes_.load(std::memory_order_relaxed), limit_bytes(), refusals()};
  }
  // Whether they would fit if nothing else were taken: a refusal may then be another answer later.
  bool could_take(std::size_t bytes) const {
    return bytes <= limit_bytes() && (!wider_ || wider_->could_take(bytes));
  }
  // Holds for what is taken from now on.
  void set_limit(std::size_t limit_bytes) { limit_bytes_.store(limit_bytes, std::memory_order_relaxed); }

 private:
  void note_peak(std::size_t taken) {
    std::size_t peak = peak_bytes_.load(std::memory_order_relaxed);
    while (taken > peak && !peak_bytes_.compare_exchange_weak(peak, taken, std::memory_order_relaxed))
      continue;
  }
  void count_refusal() {
    for (MemoryBudget* budget = this; budget; budget = budget->wider_)
      budget->refusals_.fetch_add(1, std::memory_order_relaxed);
  }

  std::atomic<std::size_t> limit_bytes_;
  std::atomic<std::size_t> taken_bytes_{0};
  std::atomic<std::size_t> peak_bytes_{0};
  std::atomic<std::uint64_t> refusals_{0};
  MemoryBudget* const wider_;
};

}  // namespace takt
