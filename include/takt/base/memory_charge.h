// The share of a memory budget that one owner of memory has taken.
#pragma once

#include <cstddef>
#include <utility>

#include <takt/base/memory_budget.h>

namespace takt {

// Gives its share back when destroyed. One thread at a time. The budget must outlive every non-zero charge.
// Without a budget, every size fits.
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

  // Sets the total charge to `bytes`; sizes up to MemoryBudget::uncounted_bytes count as 0. Returns false,
  // and leaves the charge unchanged, if the budget refuses.
  [[nodiscard]] bool resize(std::size_t bytes) {
    const std::size_t counted = bytes <= MemoryBudget::uncounted_bytes ? 0 : bytes;
    if (counted > bytes_ && budget_ && !budget_->take(counted - bytes_)) return false;
    if (counted < bytes_) return shrink(counted), true;
    bytes_ = budget_ ? counted : 0;
    return true;
  }
  // Like resize(), but only lowers the charge and so cannot fail. Ignores a size above the present charge.
  void shrink(std::size_t bytes) noexcept {
    const std::size_t counted = bytes <= MemoryBudget::uncounted_bytes ? 0 : bytes;
    if (counted >= bytes_) return;
    budget_->give_back(bytes_ - counted);
    bytes_ = counted;
  }

  // After resize() has failed: whether it could succeed if nothing else were charged.
  bool could_resize(std::size_t bytes) const { return !budget_ || budget_->could_take(bytes); }

  std::size_t bytes() const { return bytes_; }
  MemoryBudget* budget() const { return budget_; }

 private:
  MemoryBudget* budget_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace takt
