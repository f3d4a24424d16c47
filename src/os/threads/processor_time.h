// How long a thread has run.
#pragma once

#include <chrono>

namespace takt::os {

// What the calling thread has had of processors; it stands still while others run. A system call.
std::chrono::nanoseconds thread_processor_time();

}  // namespace takt::os
