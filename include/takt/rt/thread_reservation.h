// Processor time reserved for a thread of the application; see docs/user/real-time.md.
#pragma once

#include <chrono>
#include <memory>

namespace takt::os {
class HeldReservation;
}

namespace takt::rt {

// While it exists, the thread that made it gets `budget` of processor time in each `period`, before all
// threads of other classes, and no more than that (SCHED_DEADLINE). The budget covers everything that the
// thread does, including its calls. Linux requires budgets of at least 1024 ns, and periods from 100 us to
// about 4 s. If RTCORBA::Current or an upcall within the process changes the thread's priority meanwhile, its
// calls carry the new priority. The thread itself gets it when the reservation ends.
//
// It ends with its thread at the latest. Any thread may destroy it: the thread that made it then runs at its
// latest priority, or as before. Threads started meanwhile, and child processes of fork(), have no
// reservation.
class ThreadReservation {
 public:
  // For the calling thread. BAD_INV_ORDER: it has a reservation already, possibly that of a lane.
  // NO_RESOURCES: too little processor time is free beside other reservations. NO_PERMISSION: no
  // CAP_SYS_NICE, or the thread may not run on all processors of its cpuset. BAD_PARAM: the kernel rejects
  // the times.
  ThreadReservation(std::chrono::nanoseconds budget, std::chrono::nanoseconds period);
  // The budget is available within `deadline` after the thread wakes up. The deadline is between budget and
  // period, which is the default. Among threads with reservations, a shorter deadline runs first.
  ThreadReservation(std::chrono::nanoseconds budget, std::chrono::nanoseconds period,
                    std::chrono::nanoseconds deadline);
  ~ThreadReservation();
  ThreadReservation(const ThreadReservation&) = delete;
  ThreadReservation& operator=(const ThreadReservation&) = delete;

 private:
  const std::shared_ptr<os::HeldReservation> held_;
};

}  // namespace takt::rt
