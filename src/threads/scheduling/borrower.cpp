#include "threads/scheduling/borrower.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>

#include "threads/scheduling/priority_loan.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif

namespace takt::os {

namespace {

Scheduling scheduling_from(int policy, int priority) noexcept {
  const int known = policy & ~SCHED_RESET_ON_FORK;
  const SchedulingClass its_class = known == SCHED_FIFO ? SchedulingClass::fifo
                                    : known == SCHED_RR ? SchedulingClass::round_robin
                                                        : SchedulingClass::other;
  return {its_class, its_class == SchedulingClass::other ? 0 : priority};
}

}  // namespace

int to_system(SchedulingClass scheduling_class) noexcept {
  switch (scheduling_class) {
    case SchedulingClass::fifo:
      return SCHED_FIFO;
    case SchedulingClass::round_robin:
      return SCHED_RR;
    case SchedulingClass::other:
      break;
  }
  return SCHED_OTHER;
}

thread_local constinit Borrower Borrower::mine_;
constinit Borrower* Borrower::first_ = nullptr;

// Never destroyed, because threads may run until the process ends.
PriorityMutex& Borrower::mutex() {
  static PriorityMutex* const made = new PriorityMutex;
  return *made;
}

// The child's only thread has another number, and none of its parent's threads lends anything to it.
void Borrower::forked() noexcept {
  mine_.known_ = false;
  mine_.begun_ = 0;
  mine_.loans_ = nullptr;
  first_ = nullptr;
  mine_.applied_ = 0;
}

Urgency urgency_of(int policy, int priority) noexcept {
  switch (policy & ~SCHED_RESET_ON_FORK) {
    case SCHED_FIFO:
    case SCHED_RR:
      return priority;
    case SCHED_DEADLINE:
      return urgency_of_reservations;
    default:
      return 0;
  }
}

// The C library caches what it sets.
int Borrower::set_by_pthread(pthread_t thread, const Scheduling& scheduling) noexcept {
  sched_param parameters{};
  parameters.sched_priority = scheduling.priority;
  return ::pthread_setschedparam(thread, to_system(scheduling.scheduling_class), &parameters);
}

Scheduling Borrower::known_to_pthread(pthread_t thread) noexcept {
  sched_param parameters{};
  int policy = SCHED_OTHER;
  ::pthread_getschedparam(thread, &policy, &parameters);
  return scheduling_from(policy, parameters.sched_priority);
}

Borrower& Borrower::mine() noexcept {
  static const int forgets_at_fork = ::pthread_atfork(nullptr, nullptr, &Borrower::forked);
  static_cast<void>(forgets_at_fork);
  if (!mine_.known_) {
    mine_.handle_ = ::pthread_self();
    mine_.number_ = ::gettid();
    known_to_pthread(mine_.handle_);  // before it is asked for while something is lent
    mine_.known_ = true;
  }
  return mine_;
}

int Borrower::set_own(pthread_t thread, const Scheduling& scheduling) noexcept {
  const Lock lock(mutex());
  if (Borrower* const found = find(thread)) return found->change(scheduling);
  return set_by_pthread(thread, scheduling);
}

Scheduling Borrower::own(pthread_t thread) noexcept {
  const Lock lock(mutex());
  const Borrower* const found = find(thread);
  if (found && found->applied_ != 0 && found->own_is_new_)
    return scheduling_from(found->own_policy_, found->own_priority_);
  return known_to_pthread(thread);
}

void Borrower::leave_out_loans(SchedulingAttributes& of_caller) noexcept {
  if (!borrows()) return;
  const Lock lock(mutex());
  if (mine_.applied_ == 0 || !mine_.runs_as_lent()) return;
  of_caller.policy = static_cast<std::uint32_t>(mine_.own_policy_ & ~SCHED_RESET_ON_FORK);
  of_caller.priority = static_cast<std::uint32_t>(mine_.own_priority_);
}

void Borrower::lend_again(pthread_t thread) noexcept {
  const Lock lock(mutex());
  if (Borrower* const found = find(thread)) found->adjust();
}

Borrower* Borrower::find(pthread_t thread) noexcept {
  Borrower* each = first_;
  while (each && ::pthread_equal(each->handle_, thread) == 0) each = each->next_;
  return each;
}

void Borrower::add(PriorityLoan& loan) noexcept {
  if (!loans_) {
    next_ = first_;
    first_ = this;
  }
  loan.next_ = loans_;
  loans_ = &loan;
}

void Borrower::remove(PriorityLoan& loan) noexcept {
  PriorityLoan** link = &loans_;
  while (*link != &loan) link = &(*link)->next_;
  *link = loan.next_;
  if (loans_) return;
  Borrower** place = &first_;
  while (*place != this) place = &(*place)->next_;
  *place = next_;
}

Urgency Borrower::lent() const noexcept {
  Urgency most = 0;
  for (const PriorityLoan* each = loans_; each; each = each->next_) most = std::max(most, each->lent_);
  return std::min(most, highest_lent);
}

// Whether the system has it at what was applied. If not, it was changed by other means.
bool Borrower::runs_as_lent() const noexcept {
  SchedulingAttributes present;
  return present.read(static_cast<std::uint32_t>(number_)) && present.policy == SCHED_FIFO &&
         present.priority == static_cast<std::uint32_t>(applied_.load());
}

void Borrower::adjust() noexcept {
  const Urgency most = lent();
  if (applied_ != 0 && runs_as_lent()) {
    if (most == applied_) return;
    if (most > urgency_of(own_policy_, own_priority_))
      lend(most, (own_policy_ & SCHED_RESET_ON_FORK) != 0);
    else
      restore();
    return;
  }
  applied_ = 0;
  own_is_new_ = false;
  if (most == 0) return;
  SchedulingAttributes present;
  if (!present.read(static_cast<std::uint32_t>(number_))) return;
  const bool reset_on_fork = (present.flags & SchedulingAttributes::reset_on_fork) != 0;
  own_policy_ = static_cast<int>(present.policy) | (reset_on_fork ? SCHED_RESET_ON_FORK : 0);
  own_priority_ = static_cast<int>(present.priority);
  if (most > urgency_of(own_policy_, own_priority_)) lend(most, reset_on_fork);
}

bool Borrower::lend(Urgency urgency, bool reset_on_fork) noexcept {
  sched_param parameters{};
  parameters.sched_priority = urgency;
  const int policy = SCHED_FIFO | (reset_on_fork ? SCHED_RESET_ON_FORK : 0);
  if (::sched_setscheduler(number_, policy, &parameters) != 0) return false;
  applied_ = urgency;
  return true;
}

void Borrower::restore() noexcept {
  if (own_is_new_) {
    if (set_by_pthread(handle_, scheduling_from(own_policy_, own_priority_)) == 0) applied_ = 0;
  } else {
    sched_param parameters{};
    parameters.sched_priority = own_priority_;
    if (::sched_setscheduler(number_, own_policy_, &parameters) == 0) applied_ = 0;
  }
  if (applied_ == 0) own_is_new_ = false;
}

// The thread must not run at less than what is lent even for a moment: it might not get to run on.
int Borrower::change(const Scheduling& scheduling) noexcept {
  const Urgency most = lent();
  const bool applied = applied_ != 0 && runs_as_lent();
  const int policy = to_system(scheduling.scheduling_class);
  if (urgency_of(policy, scheduling.priority) >= most || (!applied && !lend(most, false))) {
    applied_ = 0;
    own_is_new_ = false;
    return set_by_pthread(handle_, scheduling);
  }
  own_policy_ = policy;
  own_priority_ = scheduling.priority;
  own_is_new_ = true;
  return 0;
}

}  // namespace takt::os
