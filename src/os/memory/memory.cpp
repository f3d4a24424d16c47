#include "os/memory/memory.h"

#include <linux/capability.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>

namespace takt::os {
namespace {

bool may_lock_without_bound() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_MEMLOCK, &limit) == 0 && limit.rlim_cur == RLIM_INFINITY) return true;
  __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
  return (sets[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

// The lowest usable address of the calling thread's stack; 0: unknown.
std::uintptr_t end_of_stack() noexcept {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return 0;
  void* lowest = nullptr;
  std::size_t size = 0, guard = 0;
  ::pthread_attr_getstack(&attributes, &lowest, &size);
  ::pthread_attr_getguardsize(&attributes, &guard);
  ::pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(lowest) + guard;
}

}  // namespace

int lock_memory() noexcept {
  if (!may_lock_without_bound()) return EPERM;
  return ::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 ? 0 : errno;
}

int back_stack(std::size_t bytes) noexcept {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) / page * page;
  const std::uintptr_t end = end_of_stack();
  if (end == 0 || end >= here) return EINVAL;
  const std::uintptr_t lowest = (here - std::min<std::uintptr_t>(bytes, here - end)) / page * page;
  const std::uintptr_t from = std::max(lowest, (end + page - 1) / page * page);
  if (from >= here) return 0;
  return ::madvise(reinterpret_cast<void*>(from), here - from, MADV_POPULATE_WRITE) == 0 ? 0 : errno;
}

}  // namespace takt::os
