#include <takt/rt/thread_reservation.h>

#include <cerrno>
#include <string>

#include <takt/cdr/exception.h>

#include "os/error_text.h"
#include "rt/reservation_refusal.h"
#include "threads/scheduling/held_reservation.h"

namespace takt::rt {

using std::chrono::nanoseconds;

namespace {

std::shared_ptr<os::HeldReservation> reserve(const os::Reservation& wanted) {
  os::scheduling();  // the C library keeps the answer, which the reservation would change
  auto held = os::HeldReservation::begin();
  if (!held)
    throw CORBA::BAD_INV_ORDER(
        0, CORBA::COMPLETED_NO,
        "the calling thread has a reservation already, that of its lane or one made before: end that first");
  // The kernel replaces a period of 0 by the deadline.
  const int error = wanted.period > nanoseconds::zero() ? held->reserve(wanted) : EINVAL;
  if (error == 0) return held;
  held->end();
  throw_not_reserved(wanted, "for the calling thread", error);
}

}  // namespace

const char* const times_of_reservations =
    "the kernel takes budgets of 1024 ns at least, no longer than the deadline, and deadlines no longer than "
    "the period, of 100 us to 4 s or so";

std::string text_of_time(nanoseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " us"
                                  : std::to_string(time.count()) + " ns";
}

void throw_not_reserved(const os::Reservation& reservation, const std::string& whose, int error) {
  const std::string what =
      text_of_time(reservation.runtime) + " in each " + text_of_time(reservation.period) + ", within " +
      text_of_time(reservation.deadline) + ", " + whose + ": " + os::error_text(error) + "; ";
  if (error == EBUSY)
    throw CORBA::NO_RESOURCES(0, CORBA::COMPLETED_NO,
                              "the kernel has no processor time left for " + what +
                                  "/proc/sys/kernel/sched_rt_runtime_us is what it gives in all");
  if (error == EPERM)
    throw CORBA::NO_PERMISSION(
        0, CORBA::COMPLETED_NO,
        "no reservation of " + what +
            "it takes CAP_SYS_NICE, and a thread that may run on all processors of its cpuset");
  throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO, "no reservation of " + what + times_of_reservations);
}

ThreadReservation::ThreadReservation(nanoseconds budget, nanoseconds period)
    : ThreadReservation(budget, period, period) {}

ThreadReservation::ThreadReservation(nanoseconds budget, nanoseconds period, nanoseconds deadline)
    : held_(reserve({.runtime = budget, .deadline = deadline, .period = period})) {}

ThreadReservation::~ThreadReservation() { held_->end(); }

}  // namespace takt::rt
