// Memory that is there before it is needed.
#pragma once

#include <cstddef>

namespace takt::os {

// From now on, no page of the process that has been touched leaves the memory, be it mapped already or later;
// pages come on their first touch, as always. Holds until the process ends. An errno value, or 0. EPERM where
// the process has a limit (RLIMIT_MEMLOCK without CAP_IPC_LOCK): it might hold today, and then have the
// system refuse memory and threads.
int lock_memory() noexcept;

// Has the system back that much of the calling thread's stack below the caller, or what there is of it, so
// that its use faults no more. One system call, as long as filling the pages takes. An errno value, EINVAL
// before Linux 5.14, or 0.
int back_stack(std::size_t bytes) noexcept;

}  // namespace takt::os
