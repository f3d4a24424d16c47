// Which process is meant by a number, as pids are used again.
#pragma once

#include <sys/types.h>

#include <string>

namespace takt::imr {

// Differs for two processes that have the pid one after the other; empty if there is no such process.
std::string process_identity(pid_t pid);

}  // namespace takt::imr
