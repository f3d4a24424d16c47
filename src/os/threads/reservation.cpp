#include "os/threads/reservation.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "os/threads/thread.h"

namespace takt::os {
namespace {

// As the kernel has it since 3.14; glibc has no name for it before 2.41.
struct Attributes {
  std::uint32_t size = sizeof(Attributes);
  std::uint32_t policy = 6;  // SCHED_DEADLINE
  std::uint64_t flags = 1;   // SCHED_FLAG_RESET_ON_FORK: without it the thread could start none
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

int may_reserve() {
  int error = EAGAIN;
  using namespace std::chrono_literals;
  auto thread = Thread::start({.name = "takt-may-use"},
                              [&] { error = reserve(current_thread_number(), {10us, 100ms, 100ms}); });
  if (thread) thread->join();
  return error;
}

}  // namespace takt::os
