// From the records of one thread's probes to the calls that it made and served.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "probes/probe_log.h"

namespace takt::orb {

// A call of a client's, or the serving of one, from its first step to its end.
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
  std::vector<Interval> steps;  // in their order; together they are the whole call

  std::int64_t begin_ns() const { return steps.front().begin_ns; }
  std::int64_t end_ns() const { return steps.back().end_ns; }
  bool passed(Step step) const;
};

// The calls that are there from beginning to end, in the order of their ends. What one call did while it
// stood in a step of another (a servant that calls) counts in that step too. Records that do not go together
// are passed over.
std::vector<ProbedCall> calls_of(const std::vector<probes::ProbeRecord>& records);

}  // namespace takt::orb
