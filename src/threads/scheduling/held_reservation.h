// A thread's reservation of processor time, from begin() to end().
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "threads/locks/priority_mutex.h"
#include "threads/scheduling/reservation.h"
#include "threads/scheduling/scheduling.h"
#include "threads/scheduling/scheduling_attributes.h"

namespace takt::os {

// While a thread holds one, set_scheduling() only records what the thread runs at afterwards, because
// changing its class would drop the reservation. A reservation ends with its thread at the latest. It is not
// inherited over fork(): the child's thread runs like the parent's without a reservation.
class HeldReservation {
 public:
  // The calling thread holds it from now on, with nothing reserved yet. Null if the thread holds one already,
  // or has class SCHED_DEADLINE by other means. Allocates.
  static std::shared_ptr<HeldReservation> begin();
  HeldReservation(const HeldReservation&) = delete;
  HeldReservation& operator=(const HeldReservation&) = delete;

  // Any thread: replaces the reservation of the thread that holds it. Returns 0 or an errno value as
  // os::reserve() does; ESRCH once it is over.
  int reserve(const Reservation& reservation) noexcept;
  // Any thread: restores the scheduling that was recorded last, or that from before begin(). No effect if the
  // thread has ended, in a child process, or on a second call.
  void end() noexcept;
  // Any thread.
  bool over() const noexcept { return over_.load(std::memory_order_relaxed); }

  // Whether the calling thread holds one.
  static bool is_held() noexcept { return mine_ && !mine_->over(); }
  // Records `scheduling` if the calling thread holds a reservation; returns false if not.
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
  PriorityMutex mutex_;  // guards the following members, and changes of the thread's scheduling
  std::optional<Scheduling> noted_;
  bool reserved_ = false;
  std::atomic<bool> over_{false};
};

}  // namespace takt::os
