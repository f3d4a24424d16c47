// What a run ends with that should not have happened.
#pragma once

#include <cstdint>
#include <string>

namespace takt::sim {

// Ends the process of this run and tells the seed, what was found, and where every thread was.
[[noreturn]] void report_finding(const std::string& what);

// A line of the trace, if there is one. Allocates nothing, so that a traced run is the same run.
void trace(const char* what, std::uint64_t about = 0);

struct Tracing {
  std::uint64_t seed = 0;
  bool on = false;
};
Tracing& tracing();

}  // namespace takt::sim
