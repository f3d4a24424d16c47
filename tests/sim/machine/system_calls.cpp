#include "machine/system_calls.h"

#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

namespace takt::sim {
namespace {

template <class... Arguments>
long system_call(long number, Arguments... arguments) {
  static auto* const call = real<long(long, ...)>("syscall");
  return call(number, arguments...);
}

}  // namespace

void real_futex_wait(const void* word, unsigned expected) {
  system_call(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void real_futex_wake(const void* word) { system_call(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1); }

bool real_thread_exists(int id) {
  return system_call(SYS_tgkill, system_call(SYS_getpid), static_cast<long>(id), 0L) == 0 || errno != ESRCH;
}

int real_thread_id() { return static_cast<int>(system_call(SYS_gettid)); }

void real_pause() {
  const timespec time{0, 20'000};
  system_call(SYS_nanosleep, &time, nullptr);
}

}  // namespace takt::sim
