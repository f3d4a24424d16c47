// Reconstruction of calls from the probe records of one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probes/probe_log.h"

namespace takt::probes {

// A call by a client, or its execution by a server, from its first step to its end.
struct ProbedCall {
  struct Interval {
    Step step;
    std::int64_t begin_ns;
    std::int64_t end_ns;
  };

  bool of_server = false;
  std::uint32_t thread = 0;
  std::uint32_t request_id = 0;
  std::string operation;
  std::vector<Interval> steps;  // in order; they cover the whole call

  std::int64_t begin_ns() const { return steps.front().begin_ns; }
  std::int64_t end_ns() const { return steps.back().end_ns; }
  bool passed(Step step) const;
};

// The complete calls, in the order of their ends. The time of a nested call, such as a servant's, also counts
// in the enclosing step. Inconsistent records are skipped.
std::vector<ProbedCall> calls_of(const std::vector<ProbeRecord>& records);

}  // namespace takt::probes
