// Real-time throttling by the kernel, which keeps time for other threads.
#pragma once

#include <optional>
#include <string>

namespace takt::os {

// Files are read below `root`, which ends in a slash and is "/" for this machine.

// Real-time threads that have run for `runtime_us` of a period are stopped for the rest of it.
struct Throttling {
  std::optional<long long> runtime_us, period_us;  // empty if unknown
  bool known() const { return runtime_us && period_us; }
  bool stops_threads() const { return known() && *runtime_us >= 0 && *runtime_us < *period_us; }
};
Throttling throttling(const std::string& root = "/");

// From 6.12 on, Linux gives waiting ordinary threads a share of each period before real-time ones. The share
// can only be read with access to debugfs.
struct FairServer {
  enum class State { on, off, absent, unknown };
  State state = State::unknown;
  std::string folder;  // folder of the first processor where it is on, without the root
  long long runtime_ns = 0, period_ns = 0;
};
FairServer fair_server(const std::string& root = "/");

// Throttling and fair server as a text for users, as read on the process's first call. Empty if this machine
// does neither. If the fair server's share is unknown, the kernel's default is assumed. Call it before
// reserving processor time: on Linux 6.18 reading the throttling makes the kernel recount all reservations,
// and miscount those whose threads end meanwhile.
const std::string& real_time_throttling();

}  // namespace takt::os
