// A limit on the memory that what peers send may take, and how much of it is taken.
#pragma once

#include <atomic>
#include <cstddef>
#include <limits>

namespace takt {

// Counts octets against a limit, and against that of a wider budget: a connection's budget counts against its
// server's. It owns no memory and allocates none; take() and give_back() never block. Any thread. A wider
// budget outlives the narrower ones.
class MemoryBudget {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  explicit MemoryBudget(std::size_t limit_bytes = unlimited, MemoryBudget* wider = nullptr)
      : limit_bytes_(limit_bytes), wider_(wider) {}
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;

  // False if they would exceed this limit or a wider one; then nothing is taken.
  [[nodiscard]] bool take(std::size_t bytes) {
    std::size_t taken = taken_bytes_.load(std::memory_order_relaxed);
    do {
      const std::size_t limit = limit_bytes_.load(std::memory_order_relaxed);
      if (taken > limit || bytes > limit - taken) return false;
    } while (!taken_bytes_.compare_exchange_weak(taken, taken + bytes, std::memory_order_relaxed));
    if (wider_ && !wider_->take(bytes)) {
      taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
      return false;
    }
    return true;
  }
  // What take() gave; at most as much.
  void give_back(std::size_t bytes) {
    taken_bytes_.fetch_sub(bytes, std::memory_order_relaxed);
    if (wider_) wider_->give_back(bytes);
  }

  std::size_t taken_bytes() const { return taken_bytes_.load(std::memory_order_relaxed); }
  std::size_t limit_bytes() const { return limit_bytes_.load(std::memory_order_relaxed); }
  // Holds for what is taken from now on.
  void set_limit(std::size_t limit_bytes) { limit_bytes_.store(limit_bytes, std::memory_order_relaxed); }

 private:
  std::atomic<std::size_t> limit_bytes_;
  std::atomic<std::size_t> taken_bytes_{0};
  MemoryBudget* const wider_;
};

}  // namespace takt
