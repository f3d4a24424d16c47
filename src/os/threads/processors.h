// Which processors threads run on.
#pragma once

#include <bitset>
#include <expected>
#include <string>
#include <string_view>

namespace takt::os {

// By the system's numbers for them; more than 1024 are not known to its affinity calls.
using Processors = std::bitset<1024>;

// "2", "0-3", "0,2-3", as in Linux's own lists; the error says, for people, what is wrong.
std::expected<Processors, std::string> processors_from_text(std::string_view text);
// "0,2-3"; empty: none.
std::string to_text(const Processors& processors);

// Those that the calling thread may run on. Where the system does not say: none.
Processors present_processors() noexcept;
// The calling thread, and threads that it starts, run on these alone. An errno value, EINVAL where the
// machine or the process's cpuset has none of them, or 0. One system call.
int run_on(const Processors& processors) noexcept;

}  // namespace takt::os
