#include "threads/scheduling/priority_loan.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "threads/scheduling/held_reservation.h"
#include "threads/scheduling/scheduling.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

namespace takt::os {

namespace {

thread_local constinit pid_t own_id = 0;

// Cached, because the C library makes a system call each time. Reset by fork().
pid_t thread_id() noexcept {
  static const int forgets_at_fork = ::pthread_atfork(nullptr, nullptr, [] { own_id = 0; });
  static_cast<void>(forgets_at_fork);
  if (own_id == 0) own_id = ::gettid();
  return own_id;
}

constexpr Urgency highest = 99, of_reservations = 100;

Urgency urgency_of(int policy, int priority) noexcept {
  switch (policy & ~SCHED_RESET_ON_FORK) {
    case SCHED_FIFO:
    case SCHED_RR:
      return priority;
    case SCHED_DEADLINE:
      return of_reservations;
    default:
      return 0;
  }
}

int priority_of(pid_t thread) noexcept {
  sched_param parameters{};
  return ::sched_getparam(thread, &parameters) == 0 ? parameters.sched_priority : 0;
}

}  // namespace

Urgency own_urgency() noexcept {
  const int policy = ::sched_getscheduler(0);
  return policy == SCHED_OTHER ? 0 : urgency_of(policy, priority_of(0));
}

Urgency remembered_urgency() noexcept {
  if (HeldReservation::is_held()) return of_reservations;
  const Scheduling mine = scheduling();
  return mine.scheduling_class == SchedulingClass::other ? 0 : mine.priority;
}

void PriorityLoan::begin() noexcept { borrower_ = thread_id(); }

void PriorityLoan::raise(Urgency urgency) noexcept {
  if (borrower_ == 0 || urgency <= lent_) return;
  if (lent_ == 0) {
    policy_ = ::sched_getscheduler(borrower_);
    if (policy_ < 0) return;
    priority_ = priority_of(borrower_);
    own_ = urgency_of(policy_, priority_);
  }
  set(urgency);
}

void PriorityLoan::lower(Urgency urgency) noexcept {
  if (lent_ > urgency) set(urgency);
}

// Caps the loan at the highest class that can be lent.
void PriorityLoan::set(Urgency urgency) noexcept {
  urgency = std::min(urgency, highest);
  if (urgency == lent_) return;
  const bool lends = urgency > own_;
  sched_param parameters{};
  parameters.sched_priority = lends ? urgency : priority_;
  const int policy = lends ? SCHED_FIFO | (policy_ & SCHED_RESET_ON_FORK) : policy_;
  if (lends || lent_ != 0)
    if (::sched_setscheduler(borrower_, policy, &parameters) == 0) lent_ = lends ? urgency : 0;
}

void PriorityLoan::end() noexcept {
  lower(0);
  borrower_ = 0;
}

}  // namespace takt::os
