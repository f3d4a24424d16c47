// A thread's reservation, from its beginning to its end.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "os/threads/priority_mutex.h"
#include "os/threads/reservation.h"
#include "os/threads/scheduling.h"
#include "os/threads/scheduling_attributes.h"

namespace takt::os {

// As long as a thread holds one, set_scheduling() only notes what the thread runs at afterwards: a change of
// its class would take the reservation from it. It ends with the thread at the latest. A child process that
// fork() makes has none: its thread runs as the forking one would without.
class HeldReservation {
 public:
  // The calling thread holds it from now on, and has nothing reserved yet. Null where the thread holds one
  // already, or is of class SCHED_DEADLINE by other means. Allocates.
  static std::shared_ptr<HeldReservation> begin();
  HeldReservation(const HeldReservation&) = delete;
  HeldReservation& operator=(const HeldReservation&) = delete;

  // Any thread: reserves for the thread that holds it, instead of what is reserved so far. An errno value as
  // os::reserve() has, ESRCH once it is over, or 0.
  int reserve(const Reservation& reservation) noexcept;
  // Any thread: the thread runs at what was noted last, or as it did before. Nothing happens where that
  // thread has ended, in a child process, and the second time.
  void end() noexcept;
  // Any thread.
  bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  // Whether the calling thread holds one.
  static bool is_held() noexcept { return mine_ && !mine_->over(); }
  // Notes it, if the calling thread holds one. False: it does not.
  static bool note(const Scheduling& scheduling) noexcept { return mine_ && mine_->note_if_held(scheduling); }

 private:
  struct Keeper;
  HeldReservation();
  static Keeper& keeper();
  static void forked() noexcept;
  bool note_if_held(const Scheduling& scheduling) noexcept;
  void thread_ends() noexcept;
  void restore() const noexcept;

  static thread_local constinit HeldReservation* mine_;

  const std::uint32_t process_, thread_;
  const pthread_t handle_;
  SchedulingAttributes before_;
  PriorityMutex mutex_;  // for what follows, and while the thread's scheduling changes
  std::optional<Scheduling> noted_;
  bool reserved_ = false;
  std::atomic<bool> over_{false};
};

}  // namespace takt::os
