// Priority that threads lend to the one that works for them.
#pragma once

#include <sys/types.h>

namespace takt::os {

// How urgent the system's scheduler takes a thread to be: 0 for ordinary classes, the priority of SCHED_FIFO
// and SCHED_RR, and above them one number for SCHED_DEADLINE. Inherited priority does not count.
using Urgency = int;
// Of the calling thread: two system calls at most.
Urgency own_urgency() noexcept;
// The same as this process remembers it, without a system call: what was set by other means than pthread's
// functions and HeldReservation is not seen.
Urgency remembered_urgency() noexcept;

// What a mutex with inheritance does for its waiters, for threads that wait in another way, each for
// something that one thread will do: that one, the borrower, runs at least at the most urgent one's priority.
// No two threads use it at once, so the owner has a lock for it; end() apart, which is the borrower's when no
// other thread knows the loan any more. Where the process may not set priorities, nothing is lent.
class PriorityLoan {
 public:
  PriorityLoan() = default;
  ~PriorityLoan() { end(); }
  PriorityLoan(const PriorityLoan&) = delete;
  PriorityLoan& operator=(const PriorityLoan&) = delete;

  // The calling thread is the borrower from now on. No system call, but for a thread's first time.
  void begin() noexcept;
  // Any thread. The borrower runs at SCHED_FIFO with that priority, unless it is as urgent already. Three
  // system calls where it was not.
  void raise(Urgency urgency) noexcept;
  // Any thread. Lends so much at most from now on.
  void lower(Urgency urgency) noexcept;
  // What is lent; 0: nothing.
  Urgency lent() const noexcept { return lent_; }
  // The borrower runs as it did before.
  void end() noexcept;

 private:
  void set(Urgency urgency) noexcept;

  pid_t borrower_ = 0;
  Urgency lent_ = 0;
  // The borrower's own scheduling, while something is lent.
  int policy_ = 0, priority_ = 0;
  Urgency own_ = 0;
};

}  // namespace takt::os
