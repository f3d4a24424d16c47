// Finds out the privileges of this process.
#include <sys/mman.h>
#include <sys/resource.h>

#include <cstring>
#include <string>
#include <thread>

#include "rt/machine.h"
#include "threads/scheduling/reservation.h"
#include "threads/scheduling/scheduling.h"
#include "threads/thread.h"

namespace takt::command {
namespace {

Finding real_time_priorities() {
  const int highest = os::native_priorities(os::SchedulingClass::fifo).highest;
  if (os::may_use({os::SchedulingClass::fifo, highest}))
    return {"priorities", Health::good, "SCHED_FIFO up to " + std::to_string(highest)};
  rlimit limit{};
  ::getrlimit(RLIMIT_RTPRIO, &limit);
  const std::string advice =
      "run as root, with CAP_SYS_NICE (setcap cap_sys_nice+ep PROGRAM), or raise rtprio in "
      "/etc/security/limits.conf (LimitRTPRIO= in a systemd unit)";
  if (limit.rlim_cur > 0)
    return {"priorities", Health::note, "SCHED_FIFO up to " + std::to_string(limit.rlim_cur), advice};
  return {"priorities", Health::bad, "none: every thread runs under SCHED_OTHER", advice};
}

Finding reservations() {
  using namespace std::chrono_literals;
  int error = 0;
  std::thread([&] { error = os::reserve(os::current_thread_number(), {1ms, 10ms, 10ms}); }).join();
  if (error == 0) return {"reservations", Health::good, "SCHED_DEADLINE grants 1 ms in 10 ms"};
  return {"reservations", Health::note,
          std::string("the kernel refuses 1 ms in 10 ms: ") + std::strerror(error),
          error == EBUSY
              ? "other threads have reserved the available time, or sched_rt_runtime_us leaves too little"
              : "run as root or with CAP_SYS_NICE, on all processors of its cpuset"};
}

Finding locked_memory() {
  rlimit limit{};
  ::getrlimit(RLIMIT_MEMLOCK, &limit);
  constexpr std::size_t tried = 64 << 20;  // more than an ordinary user's default limit
  void* const memory = ::mmap(nullptr, tried, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const bool locked = memory != MAP_FAILED && ::mlock(memory, tried) == 0;
  if (memory != MAP_FAILED) ::munmap(memory, tried);
  if (locked) return {"locked memory", Health::good, "64 MiB were locked as a test"};
  return {"locked memory", Health::note, "at most " + std::to_string(limit.rlim_cur / 1024) + " KiB",
          "run as root, with CAP_IPC_LOCK, or raise memlock in /etc/security/limits.conf (LimitMEMLOCK=)"};
}

}  // namespace

std::vector<Finding> privileges() { return {real_time_priorities(), reservations(), locked_memory()}; }

}  // namespace takt::command
