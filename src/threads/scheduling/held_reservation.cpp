#include "threads/scheduling/held_reservation.h"

#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <utility>

#include "threads/scheduling/borrower.h"
#include "threads/scheduling/throttling.h"

namespace takt::os {

namespace {
// Linux 6.18 keeps counting a thread's reserved bandwidth if another thread changes its class while it
// sleeps. So the reservation is first reduced to this minimum.
constexpr Reservation least{.runtime = std::chrono::nanoseconds(1024),
                            .deadline = std::chrono::seconds(1),
                            .period = std::chrono::seconds(1)};
std::uint32_t process_number() noexcept { return static_cast<std::uint32_t>(::getpid()); }
std::uint32_t thread_number() noexcept { return static_cast<std::uint32_t>(::gettid()); }
}  // namespace

thread_local constinit HeldReservation* HeldReservation::mine_ = nullptr;

struct HeldReservation::Keeper {
  std::shared_ptr<HeldReservation> held;
  ~Keeper() {
    if (held) held->thread_ends();
  }
};

HeldReservation::Keeper& HeldReservation::keeper() {
  static thread_local Keeper keeper;
  return keeper;
}

HeldReservation::HeldReservation()
    : process_(process_number()), thread_(thread_number()), handle_(::pthread_self()) {
  before_.read();
  Borrower::leave_out_loans(before_);
  // For ordinary classes these fields are the time slice, and would set it permanently.
  before_.runtime = before_.deadline = before_.period = 0;
}

std::shared_ptr<HeldReservation> HeldReservation::begin() {
  static const int forgets_at_fork = ::pthread_atfork(nullptr, nullptr, &HeldReservation::forked);
  static_cast<void>(forgets_at_fork);
  real_time_throttling();
  if (is_held() || reservation()) return nullptr;
  std::shared_ptr<HeldReservation> held(new HeldReservation);
  mine_ = held.get();
  keeper().held = held;  // the previous one, if any, is over
  return held;
}

int HeldReservation::reserve(const Reservation& wanted) noexcept {
  const std::lock_guard lock(mutex_);
  if (over()) return ESRCH;
  const int error = os::reserve(thread_, wanted);
  if (error == 0) reserved_ = true;
  return error;
}

void HeldReservation::end() noexcept {
  if (process_ != process_number()) return;  // thread id and lock belong to the parent
  const std::lock_guard lock(mutex_);
  if (over_.exchange(true)) return;
  if (reserved_ && thread_ != thread_number()) os::reserve(thread_, least);
  restore();
  Borrower::lend_again(handle_);
}

bool HeldReservation::note_if_held(const Scheduling& scheduling) noexcept {
  if (over()) return false;
  const std::lock_guard lock(mutex_);
  if (over()) return false;
  noted_ = scheduling;
  return true;
}

void HeldReservation::thread_ends() noexcept {
  mine_ = nullptr;
  if (process_ != process_number()) return;
  const std::lock_guard lock(mutex_);
  over_ = true;
}

// If the process has lost its privileges meanwhile, restores as much as is permitted.
void HeldReservation::restore() const noexcept {
  if (noted_ && set_scheduling_of(handle_, *noted_) == 0) return;
  SchedulingAttributes wanted = before_;
  if (wanted.give(thread_) == 0) return;
  wanted.flags |= SchedulingAttributes::reset_on_fork;
  if (wanted.give(thread_) == 0) return;
  SchedulingAttributes ordinary;
  ordinary.flags = SchedulingAttributes::reset_on_fork;
  ordinary.give(thread_);
}

// The kernel made the child's thread an ordinary one. It is the only thread, so no lock is needed.
void HeldReservation::forked() noexcept {
  if (HeldReservation* const parents = std::exchange(mine_, nullptr); parents && !parents->over()) {
    parents->over_ = true;
    if (parents->noted_) {
      Borrower::set_by_pthread(::pthread_self(), *parents->noted_);
    } else {
      parents->before_.give(0);
    }
  }
}

}  // namespace takt::os
