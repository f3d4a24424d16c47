// Processor time that the system sets aside for a thread of the application: docs/user/real-time.md.
#pragma once

#include <chrono>
#include <memory>

namespace takt::os {
class HeldReservation;
}

namespace takt::rt {

// As long as it exists, the thread that made it gets `budget` of processor time in each `period`, before all
// threads of other classes, and no more than that (SCHED_DEADLINE): all that the thread does, its calls with
// it. Linux takes budgets of 1024 ns at least, and periods of 100 us to some 4 s. Where RTCORBA::Current or
// an upcall within the process changes the thread's priority meanwhile, its calls carry the new one, and the
// thread itself runs at it once the reservation has ended.
//
// It ends with its thread at the latest. Any thread may destroy it: the one that made it then runs at the
// priority that it has by then, or as before. Threads that are started meanwhile, and processes that fork()
// makes, have no part in it.
class ThreadReservation {
 public:
  // For the calling thread, which has none yet: BAD_INV_ORDER where it has, be it that of a lane.
  // NO_RESOURCES where the kernel has not the time left beside other reservations, NO_PERMISSION without
  // CAP_SYS_NICE and for threads that may not run on all processors of their cpuset, BAD_PARAM for times that
  // the kernel does not take.
  ThreadReservation(std::chrono::nanoseconds budget, std::chrono::nanoseconds period);
  // The budget is there within `deadline` of the instant when the thread wakes up: from the budget to the
  // period, which is what it is otherwise. The shorter, the sooner among threads with reservations.
  ThreadReservation(std::chrono::nanoseconds budget, std::chrono::nanoseconds period,
                    std::chrono::nanoseconds deadline);
  ~ThreadReservation();
  ThreadReservation(const ThreadReservation&) = delete;
  ThreadReservation& operator=(const ThreadReservation&) = delete;

 private:
  const std::shared_ptr<os::HeldReservation> held_;
};

}  // namespace takt::rt
