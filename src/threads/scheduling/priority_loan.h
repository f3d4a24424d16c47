// Priority inheritance for waits other than on a mutex.
#pragma once

#include <sys/types.h>

namespace takt::os {

// How urgent a thread is to the system's scheduler: 0 for ordinary classes, the priority of SCHED_FIFO and
// SCHED_RR, and one higher number for SCHED_DEADLINE. Inherited priority does not count.
using Urgency = int;
// Urgency of the calling thread: at most two system calls.
Urgency own_urgency() noexcept;
// The same as cached in this process, without a system call. Misses changes made by means other than
// pthread's functions and HeldReservation.
Urgency remembered_urgency() noexcept;

// Threads that wait for something that one other thread will do lend it their priority, as a mutex with
// inheritance does: the borrower runs at least at the priority of the most urgent waiter. Not thread-safe:
// the owner locks. Only end() needs no lock, if no other thread uses the loan any more. If the process may
// not set priorities, nothing is lent.
class PriorityLoan {
 public:
  PriorityLoan() = default;
  ~PriorityLoan() { end(); }
  PriorityLoan(const PriorityLoan&) = delete;
  PriorityLoan& operator=(const PriorityLoan&) = delete;

  // Makes the calling thread the borrower. No system call, except on a thread's first call.
  void begin() noexcept;
  // Any thread. Raises the borrower to that priority of SCHED_FIFO, unless it is as urgent already. Three
  // system calls if it was not.
  void raise(Urgency urgency) noexcept;
  // Any thread. Lends at most `urgency` from now on.
  void lower(Urgency urgency) noexcept;
  // The urgency that is lent; 0: none.
  Urgency lent() const noexcept { return lent_; }
  // Restores the borrower's own scheduling.
  void end() noexcept;

 private:
  void set(Urgency urgency) noexcept;

  pid_t borrower_ = 0;
  Urgency lent_ = 0;
  // The borrower's own scheduling, valid while something is lent.
  int policy_ = 0, priority_ = 0;
  Urgency own_ = 0;
};

}  // namespace takt::os
