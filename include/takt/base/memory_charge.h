// The share of a memory budget that one owner of memory has taken.
#pragma once

#include <cstddef>
#include <utility>

#include <takt/base/memory_budget.h>

namespace takt {

// Gives its share back when it is destroyed. One thread at a time. The budget outlives every charge that is
// not 0. Without a budget everything fits.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  explicit MemoryCharge(MemoryBudget* budget) : budget_(budget) {}
  MemoryCharge(MemoryCharge&& from) noexcept : budget_(from.budget_), bytes_(std::exchange(from.bytes_, 0)) {}
  MemoryCharge& operator=(MemoryCharge&& from) noexcept {
    if (this == &from) return *this;
    shrink(0);
    budget_ = from.budget_;
    bytes_ = std::exchange(from.bytes_, 0);
    return *this;
  }
  ~MemoryCharge() { shrink(0); }

  // Charges `bytes` in all from now on; sizes up to MemoryBudget::uncounted_bytes count as 0. False: they do
  // not fit, and the charge stays what it was.
  [[nodiscard]] bool resize(std::size_t bytes) {
    const std::size_t counted = bytes <= MemoryBudget::uncounted_bytes ? 0 : bytes;
    if (counted > bytes_ && budget_ && !budget_->take(counted - bytes_)) return false;
    if (counted < bytes_) return shrink(counted), true;
    bytes_ = budget_ ? counted : 0;
    return true;
  }
  // As resize() for less than there is, or as much.
  void shrink(std::size_t bytes) noexcept {
    const std::size_t counted = bytes <= MemoryBudget::uncounted_bytes ? 0 : bytes;
    if (counted >= bytes_) return;
    budget_->give_back(bytes_ - counted);
    bytes_ = counted;
  }

  // After resize() has said no: whether it could say yes if nothing else were charged.
  bool could_resize(std::size_t bytes) const { return !budget_ || budget_->could_take(bytes); }

  std::size_t bytes() const { return bytes_; }
  MemoryBudget* budget() const { return budget_; }

 private:
  MemoryBudget* budget_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace takt
