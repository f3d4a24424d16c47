// A thread's scheduling attributes as the kernel represents them.
#pragma once

#include <cstdint>

namespace takt::os {

// sched_attr of Linux 3.14; glibc defines it only from 2.41 on.
struct SchedulingAttributes {
  static constexpr std::uint32_t deadline_class = 6;  // SCHED_DEADLINE
  static constexpr std::uint64_t reset_on_fork = 1;   // SCHED_FLAG_RESET_ON_FORK

  std::uint32_t size = sizeof(SchedulingAttributes);
  std::uint32_t policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime = 0, deadline = 0, period = 0;  // ns

  // Reads those of the thread with that number; 0: the calling thread. Returns false if the system refuses.
  bool read(std::uint32_t thread_number = 0) noexcept;
  // Applies them to the thread with that number. Returns 0 or an errno value.
  int give(std::uint32_t thread_number) const noexcept;
};
static_assert(sizeof(SchedulingAttributes) == 48);

}  // namespace takt::os
