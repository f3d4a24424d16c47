// Processor time that the kernel reserves for a thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace takt::os {

// `runtime` of processor time in each period, within `deadline` after wake-up. Linux requires a runtime of at
// least 1024 ns, runtime <= deadline <= period, and periods from 100 us to about 4 s.
struct Reservation {
  std::chrono::nanoseconds runtime{};
  std::chrono::nanoseconds deadline{};
  std::chrono::nanoseconds period{};
  friend bool operator==(const Reservation&, const Reservation&) = default;
};

// Schedules the thread with that number (current_thread_number()) by the reservation from now on, before all
// real-time priorities: SCHED_DEADLINE, EDF with a constant bandwidth server. Once its runtime is used up,
// the thread stops until the next period. Threads that it starts are ordinary. Returns 0 or an errno value.
// EBUSY: the kernel's admission test found too little free bandwidth. EPERM: the process lacks the privilege
// (CAP_SYS_NICE), or the thread is restricted to fewer processors than its root domain has. EINVAL: invalid
// times. One system call.
int reserve(std::uint32_t thread_number, const Reservation& reservation) noexcept;

// The calling thread's reservation. One system call.
std::optional<Reservation> reservation() noexcept;

}  // namespace takt::os
