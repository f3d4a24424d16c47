// Processor time that the kernel sets aside for a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace takt::os {

// `runtime` of the processor in each period, within `deadline` of the instant when it wakes up. Linux takes
// 1024 ns of runtime at least, runtime <= deadline <= period, and periods of 100 us to some 4 s.
struct Reservation {
  std::chrono::nanoseconds runtime{};
  std::chrono::nanoseconds deadline{};
  std::chrono::nanoseconds period{};
  friend bool operator==(const Reservation&, const Reservation&) = default;
};

// The thread with that number (current_thread_number()) is scheduled by it from now on, before all real-time
// priorities: SCHED_DEADLINE, EDF with a constant bandwidth server. When its runtime has been used up, it
// stops until the next period. Threads that it starts are ordinary ones. 0, or an errno value: EBUSY where
// the kernel's admission test finds that processors have no such time left, EPERM where the process may not
// (CAP_SYS_NICE) or the thread is kept to fewer processors than its root domain has, EINVAL for times that
// are none. One system call.
int reserve(std::uint32_t thread_number, const Reservation& reservation) noexcept;

// The calling thread's. One system call.
std::optional<Reservation> reservation() noexcept;

}  // namespace takt::os
