// How a thread runs while others lend it their priority.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <atomic>
#include <mutex>

#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/scheduling.h"
#include "threads/scheduling/scheduling_attributes.h"

namespace takt::os {

class PriorityLoan;

// How urgent a thread is to the system's scheduler: 0 for ordinary classes, the priority of SCHED_FIFO and
// SCHED_RR, and one higher number for SCHED_DEADLINE. Priority that is inherited by a
// mutex does not count.
using Urgency = int;
inline constexpr Urgency highest_lent = 99, urgency_of_reservations = 100;
// The system's number of that class.
int to_system(SchedulingClass scheduling_class) noexcept;
// `policy` as of sched_getscheduler().
Urgency urgency_of(int policy, int priority) noexcept;

// A thread's own scheduling and the loans to it: it runs at the more urgent of the two. A change of its own
// scheduling by set_scheduling(), such as a demotion, leaves it at what is lent, and holds when the loans
// end. A change by other means is noticed at the next change of a loan; the thread's own scheduling is then
// what the system says. One object per thread, which lives as long as the thread. One lock of the process
// guards all of them, and is held for a few system calls; threads take it only while something is lent or
// demoted.
class Borrower {
 public:
  constexpr Borrower() = default;
  Borrower(const Borrower&) = delete;
  Borrower& operator=(const Borrower&) = delete;

  static Borrower& mine() noexcept;
  // Whether the calling thread has begun a loan that has not ended.
  static bool borrows() noexcept { return mine_.begun_ != 0; }
  // The priority at which the calling thread runs because it is lent; 0: it runs at its own scheduling.
  static Urgency present() noexcept { return mine_.applied_.load(std::memory_order_relaxed); }

  // The following two are without regard to loans: what the C library sets, and what it remembers.
  static int set_by_pthread(pthread_t thread, const Scheduling& scheduling) noexcept;
  static Scheduling known_to_pthread(pthread_t thread) noexcept;
  // As set_scheduling_of() and scheduling_of(), for any running thread.
  static int set_own(pthread_t thread, const Scheduling& scheduling) noexcept;
  static Scheduling own(pthread_t thread) noexcept;
  // Replaces what is lent to the calling thread by its own class and priority.
  static void leave_out_loans(SchedulingAttributes& of_caller) noexcept;
  // Raises that thread to what is lent to it, after its scheduling was changed by other means.
  static void lend_again(pthread_t thread) noexcept;

 private:
  friend class PriorityLoan;
  using Lock = std::lock_guard<PriorityMutex>;

  static PriorityMutex& mutex();
  static void forked() noexcept;
  // Null if nothing is lent to that thread. Call with the mutex held, as the following.
  static Borrower* find(pthread_t thread) noexcept;
  void add(PriorityLoan& loan) noexcept;
  void remove(PriorityLoan& loan) noexcept;
  // Makes the thread run at what is lent to it, if that is more urgent than its own scheduling.
  void adjust() noexcept;
  int change(const Scheduling& scheduling) noexcept;
  bool runs_as_lent() const noexcept;
  bool lend(Urgency urgency, bool reset_on_fork) noexcept;
  void restore() noexcept;
  Urgency lent() const noexcept;

  static thread_local constinit Borrower mine_;
  static constinit Borrower* first_;  // a list: the threads to which something is lent

  unsigned begun_ = 0;  // loans; only used by the thread
  bool known_ = false;  // the next two are set, and the C library knows the thread's own scheduling
  pthread_t handle_{};
  pid_t number_ = 0;
  // Guarded by the mutex:
  PriorityLoan* loans_ = nullptr;  // those that lend something
  Borrower* next_ = nullptr;
  // The priority at which it runs in place of its own scheduling; 0: none. The thread reads it without the
  // mutex.
  std::atomic<Urgency> applied_{0};
  // Valid while something is applied: the thread's own scheduling, as the system has it.
  int own_policy_ = 0, own_priority_ = 0;
  bool own_is_new_ = false;  // it has changed since, which the C library does not know
};

}  // namespace takt::os
