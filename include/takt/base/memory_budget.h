// A limit on the memory that data from peers may take, and a count of what it takes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <takt/base/atomic_maximum.h>

namespace takt {

// A snapshot of a MemoryBudget. Its numbers are read one after the other without a lock, so they may not
// match exactly.
struct MemoryUse {
  std::size_t taken_bytes = 0;
  std::size_t peak_bytes = 0;  // maximum of taken_bytes so far
  std::size_t limit_bytes = 0;
  std::uint64_t refusals = 0;  // failed take() calls, including those of narrower budgets
};

// Counts octets against its own limit and that of an optional wider budget: a connection's budget counts
// against its server's. It owns no memory and allocates none. take() and give_back() never block. Any thread.
// A wider budget must outlive the narrower ones.
class MemoryBudget {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();
  // Owners of up to this much need not count it: a connection's usual buffers are free.
  static constexpr std::size_t uncounted_bytes = 64 * 1024;

  explicit MemoryBudget(std::size_t limit_bytes = unlimited, MemoryBudget* wider = nullptr)
      : limit_bytes_(limit_bytes), wider_(wider) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // Returns false, and takes nothing, if `bytes` would exceed this limit or a wider one.
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
    raise_to(peak_bytes_, taken + bytes);
    return true;
  }
  // Returns octets to the budget; at most as many as take() granted.
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
  // Whether `bytes` would fit if nothing else were taken, so that a refused take() may succeed later.
  bool could_take(std::size_t bytes) const {
    return bytes <= limit_bytes() && (!wider_ || wider_->could_take(bytes));
  }
  // Applies to later calls of take().
  void set_limit(std::size_t limit_bytes) { limit_bytes_.store(limit_bytes, std::memory_order_relaxed); }

 private:
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
