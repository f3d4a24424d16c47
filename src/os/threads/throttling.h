// What the system takes from real-time threads that leave the processor to nobody else.
#pragma once

#include <optional>
#include <string>

namespace takt::os {

// Files are read below `root`, which ends in a slash and is "/" for this machine.

// Real-time threads that have run for `runtime_us` of a period are stopped for the rest of it.
struct Throttling {
  std::optional<long long> runtime_us, period_us;  // nothing where the system does not say
  bool known() const { return runtime_us && period_us; }
  bool stops_threads() const { return known() && *runtime_us >= 0 && *runtime_us < *period_us; }
};
Throttling throttling(const std::string& root = "/");

// From 6.12 on, Linux gives ordinary threads that wait a part of each period before real-time ones. Only
// those who may read debugfs know whether the share is the default.
struct FairServer {
  enum class State { on, off, absent, unknown };
  State state = State::unknown;
  std::string folder;  // of the first processor that has one which is on, without the root
  long long runtime_ns = 0, period_ns = 0;
};
FairServer fair_server(const std::string& root = "/");

// Both in words, as they were at the process's first call; empty where this machine does neither. Where the
// fair server's share is unknown, the kernel's default is assumed. Whoever reserves processor time calls it
// before: Linux 6.18 counts all reservations again whenever the throttling is read, and loses count of those
// whose threads end meanwhile.
const std::string& real_time_throttling();

}  // namespace takt::os
