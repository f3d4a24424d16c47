// Locking and prefaulting memory.
#pragma once

#include <cstddef>

namespace takt::os {

// Locks every page of the process once it has been touched, for present and later mappings. Pages are still
// allocated on first touch. Holds until the process ends. Returns 0 or an errno value. Fails with EPERM if
// the process has a limit (RLIMIT_MEMLOCK without CAP_IPC_LOCK): locking might succeed now and later make the
// system refuse memory and threads.
int lock_memory() noexcept;

// Allocates up to `bytes` of the calling thread's stack below the caller, so that using it does not fault any
// more. One system call, which takes as long as zeroing the pages. Returns 0 or an errno value, EINVAL before
// Linux 5.14.
int back_stack(std::size_t bytes) noexcept;

}  // namespace takt::os
