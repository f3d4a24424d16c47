#include "os/shared_memory/futex.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace takt::os {

static_assert(sizeof(std::atomic<std::uint32_t>) == 4 && std::atomic<std::uint32_t>::is_always_lock_free);

FutexWait wait_on_futex(std::atomic<std::uint32_t>& word, std::uint32_t expected,
                        std::chrono::nanoseconds timeout) {
  timespec limit{};
  const bool bounded = timeout.count() > 0;
  if (bounded) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(timeout);
    limit = {static_cast<time_t>(whole.count()), static_cast<long>((timeout - whole).count())};
  }
  const long result =
      ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, bounded ? &limit : nullptr, nullptr, 0);
  return result != 0 && errno == ETIMEDOUT ? FutexWait::timed_out : FutexWait::woken;
}

void wake_futex(std::atomic<std::uint32_t>& word) {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace takt::os
