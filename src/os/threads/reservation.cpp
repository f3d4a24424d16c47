#include "os/threads/reservation.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace takt::os {
namespace {

constexpr std::uint32_t deadline_class = 6;  // SCHED_DEADLINE
constexpr pid_t calling_thread = 0;

// As the kernel has it since 3.14; glibc has no name for it before 2.41.
struct Attributes {
  std::uint32_t size = sizeof(Attributes);
  std::uint32_t policy = deadline_class;
  std::uint64_t flags = 1;  // SCHED_FLAG_RESET_ON_FORK: without it the thread could start none
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;
};
static_assert(sizeof(Attributes) == 48);

}  // namespace

int reserve(std::uint32_t thread_number, const Reservation& reservation) noexcept {
  Attributes wanted;
  wanted.runtime = static_cast<std::uint64_t>(reservation.runtime.count());
  wanted.deadline = static_cast<std::uint64_t>(reservation.deadline.count());
  wanted.period = static_cast<std::uint64_t>(reservation.period.count());
  return ::syscall(SYS_sched_setattr, thread_number, &wanted, 0) == 0 ? 0 : errno;
}

std::optional<Reservation> reservation() noexcept {
  Attributes has;
  if (::syscall(SYS_sched_getattr, calling_thread, &has, sizeof has, 0) != 0 || has.policy != deadline_class)
    return std::nullopt;
  const auto time = [](std::uint64_t ns) { return std::chrono::nanoseconds(static_cast<std::int64_t>(ns)); };
  return Reservation{time(has.runtime), time(has.deadline), time(has.period)};
}

}  // namespace takt::os
