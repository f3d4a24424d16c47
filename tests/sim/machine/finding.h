// Reports errors that end a run.
#pragma once

#include <cstdint>
#include <string>

namespace takt::sim {

// Ends the process of this run. Reports the seed, the finding, and the position of every thread.
[[noreturn]] void report_finding(const std::string& what);

// Writes a line to the trace if it is on. Does not allocate, so that tracing does not change the run.
void trace(const char* what, std::uint64_t about = 0);

struct Tracing {
  std::uint64_t seed = 0;
  bool on = false;
};
Tracing& tracing();

}  // namespace takt::sim
