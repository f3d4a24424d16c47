// Processor affinity of threads.
#pragma once

#include <bitset>
#include <expected>
#include <string>
#include <string_view>

namespace takt::os {

// By the system's processor numbers. The affinity calls support at most 1024.
using Processors = std::bitset<1024>;

// Parses "2", "0-3" or "0,2-3", as in Linux's own lists. The error is a text for users.
std::expected<Processors, std::string> processors_from_text(std::string_view text);
// "0,2-3"; empty: none.
std::string to_text(const Processors& processors);

// The processors that the calling thread may run on. Empty if unknown.
Processors present_processors() noexcept;
// Restricts the calling thread, and threads that it starts, to these processors. Returns 0 or an errno value,
// EINVAL if the machine or the process's cpuset has none of them. One system call.
int run_on(const Processors& processors) noexcept;

}  // namespace takt::os
