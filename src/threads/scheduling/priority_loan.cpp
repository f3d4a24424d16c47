#include "threads/scheduling/priority_loan.h"

#include <sched.h>

#include <algorithm>
#include <utility>

#include "threads/scheduling/held_reservation.h"
#include "threads/scheduling/scheduling.h"

namespace takt::os {

Urgency own_urgency() noexcept {
  const int policy = ::sched_getscheduler(0);
  if (policy == SCHED_OTHER) return 0;
  sched_param parameters{};
  return ::sched_getparam(0, &parameters) == 0 ? urgency_of(policy, parameters.sched_priority) : 0;
}

Urgency remembered_urgency() noexcept {
  if (HeldReservation::is_held()) return urgency_of_reservations;
  const Scheduling mine = scheduling();
  const Urgency own = mine.scheduling_class == SchedulingClass::other ? 0 : mine.priority;
  return std::max(own, Borrower::present());
}

[[gnu::noinline]] void PriorityLoan::begin() noexcept {
  if (borrower_) return;
  borrower_ = &Borrower::mine();
  ++borrower_->begun_;
}

void PriorityLoan::raise(Urgency urgency) noexcept {
  if (borrower_ && urgency > lent_) set(urgency);
}

void PriorityLoan::lower(Urgency urgency) noexcept {
  if (lent_ > urgency) set(urgency);
}

// At most what can be lent, so that a lender with a reservation does not ask again.
void PriorityLoan::set(Urgency urgency) noexcept {
  urgency = std::min(urgency, highest_lent);
  if (urgency == lent_) return;
  const Borrower::Lock lock(Borrower::mutex());
  if (std::exchange(lent_, urgency) == 0)
    borrower_->add(*this);
  else if (urgency == 0)
    borrower_->remove(*this);
  borrower_->adjust();
}

[[gnu::noinline]] void PriorityLoan::end() noexcept {
  lower(0);
  if (borrower_) --std::exchange(borrower_, nullptr)->begun_;
}

}  // namespace takt::os
