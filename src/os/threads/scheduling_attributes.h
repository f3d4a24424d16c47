// A thread's scheduling as the kernel has it, with all that belongs to its class.
#pragma once

#include <cstdint>

namespace takt::os {

// sched_attr of Linux 3.14; glibc has no name for it before 2.41.
struct SchedulingAttributes {
  static constexpr std::uint32_t deadline_class = 6;  // SCHED_DEADLINE
  static constexpr std::uint64_t reset_on_fork = 1;   // SCHED_FLAG_RESET_ON_FORK

  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;  // ns

  // Reads those of the calling thread. False: the system has not said.
  bool read() noexcept;
  // Gives them to the thread with that number. An errno value, or 0.
  int give(std::uint32_t thread_number) const noexcept;
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace takt::os
