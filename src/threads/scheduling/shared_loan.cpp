#include "threads/scheduling/shared_loan.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace takt::os {

[[gnu::cold]] void SharedLoan::change(Urgency from, Urgency to) noexcept {
  from = std::min(from, highest_lent);
  to = std::min(to, highest_lent);
  const std::lock_guard lock(mutex_);
  used_.store(true, std::memory_order_relaxed);
  ++lenders_of_[static_cast<std::size_t>(to)];
  --lenders_of_[static_cast<std::size_t>(from)];
  most_ = std::max(most_, to);
  while (most_ != 0 && lenders_of_[static_cast<std::size_t>(most_)] == 0) --most_;
  for (Borrowing* each = first_; each; each = each->next_) each->adjust();
}

[[gnu::cold]] SharedLoan::Borrowing::Borrowing(SharedLoan& loan, bool joins) noexcept : shared_(loan) {
  if (!joins) return;
  const std::lock_guard lock(shared_.mutex_);
  next_ = std::exchange(shared_.first_, this);
  loan_.begin();
  adjust();
}

[[gnu::cold]] SharedLoan::Borrowing::~Borrowing() {
  const std::lock_guard lock(shared_.mutex_);
  Borrowing** link = &shared_.first_;
  while (*link && *link != this) link = &(*link)->next_;
  if (*link) *link = next_;
  loan_.end();
  if (working_ == this) working_ = nullptr;
}

// Call with the loan's mutex.
[[gnu::cold]] void SharedLoan::Borrowing::adjust() noexcept {
  const Urgency wanted = std::max(shared_.most_, of_work_);
  loan_.raise(wanted);
  if (!waits_) loan_.lower(wanted);
}

void SharedLoan::Borrowing::note(bool waits, Urgency of_work) noexcept {
  if (!shared_.used_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(shared_.mutex_);
  waits_ = waits;
  of_work_ = std::min(of_work, highest_lent);
  working_ = of_work != 0 ? this : nullptr;
  adjust();
}

}  // namespace takt::os
