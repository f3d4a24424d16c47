#include "threads/scheduling/reservation.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "threads/scheduling/scheduling_attributes.h"

namespace takt::os {

bool SchedulingAttributes::read(std::uint32_t thread_number) noexcept {
  return ::syscall(SYS_sched_getattr, thread_number, this, sizeof *this, 0) == 0;
}

int SchedulingAttributes::give(std::uint32_t thread_number) const noexcept {
  return ::syscall(SYS_sched_setattr, thread_number, this, 0) == 0 ? 0 : errno;
}

int reserve(std::uint32_t thread_number, const Reservation& reservation) noexcept {
  SchedulingAttributes wanted;
  wanted.policy = SchedulingAttributes::deadline_class;
  wanted.flags =
      SchedulingAttributes::reset_on_fork;  // required: otherwise the thread could start no threads
  wanted.runtime = static_cast<std::uint64_t>(reservation.runtime.count());
  wanted.deadline = static_cast<std::uint64_t>(reservation.deadline.count());
  wanted.period = static_cast<std::uint64_t>(reservation.period.count());
  return wanted.give(thread_number);
}

std::optional<Reservation> reservation() noexcept {
  SchedulingAttributes has;
  if (!has.read() || has.policy != SchedulingAttributes::deadline_class) return std::nullopt;
  const auto time = [](std::uint64_t ns) { return std::chrono::nanoseconds(static_cast<std::int64_t>(ns)); };
  return Reservation{time(has.runtime), time(has.deadline), time(has.period)};
}

}  // namespace takt::os
