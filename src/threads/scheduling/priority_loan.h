// Priority inheritance for waits other than on a mutex.
#pragma once

#include "threads/scheduling/borrower.h"

namespace takt::os {

// Urgency of the calling thread: at most two system calls.
Urgency own_urgency() noexcept;
// The same as cached in this process, with what is lent, and without a system call. Misses changes made by
// means other than pthread's functions and HeldReservation.
Urgency remembered_urgency() noexcept;

// Threads that wait for something that one other thread will do lend it their priority, as a mutex with
// inheritance does: the borrower runs at least at the priority of the most urgent waiter, whatever its own
// scheduling becomes meanwhile. A thread may have several loans at once, which end in any order. Not
// thread-safe: the owner locks. Only end() needs no lock, if no other thread uses the loan any more. If the
// process may not set priorities, nothing is lent.
class PriorityLoan {
 public:
  PriorityLoan() = default;
  ~PriorityLoan() { end(); }
  PriorityLoan(const PriorityLoan&) = delete;
  PriorityLoan& operator=(const PriorityLoan&) = delete;

  // Makes the calling thread the borrower, until end(). No system call, except on a thread's first call.
  void begin() noexcept;
  // Any thread. The borrower runs at that priority of SCHED_FIFO at least. Two system calls if it was less
  // urgent, one if it was not and this is the most that was asked for.
  void raise(Urgency urgency) noexcept;
  // Any thread. Lends at most `urgency` from now on.
  void lower(Urgency urgency) noexcept;
  // The urgency that the borrower runs at, unless its own is higher; 0: none.
  Urgency lent() const noexcept { return lent_; }
  // In the borrower's thread: it runs at its own scheduling again, unless there are other loans.
  void end() noexcept;

 private:
  friend class Borrower;
  void set(Urgency urgency) noexcept;

  Borrower* borrower_ = nullptr;
  Urgency lent_ = 0;              // guarded by the borrower's mutex, too
  PriorityLoan* next_ = nullptr;  // used by the borrower
};

}  // namespace takt::os
