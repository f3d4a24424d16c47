// Which process is meant by a number: pids are used again, and each machine has its own.
#pragma once

#include <sys/types.h>

#include <string>

namespace takt::imr {

// Names this machine since its last boot, and the name space of its pids: equal for processes that know each
// other by the same numbers. Any thread.
std::string machine_identity();

// Differs for two processes that have the pid one after the other, also if the machine was booted between
// them; empty if there is no such process.
std::string process_identity(pid_t pid);
// Whether the pid is that of the process with the identity. Earlier versions left out the boot.
bool is_process(pid_t pid, const std::string& identity);

}  // namespace takt::imr
