// Probed calls as a trace in the JSON format of Chrome's tracing, which Perfetto opens.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "orb/probes/timeline.h"

namespace takt::orb {

// A slice for each call, named for its operation, and in it one for each step. Traces of several processes of
// one machine share their clock, so that their events may be put into one list.
void write_trace(std::ostream& out, std::span<const ProbedCall> calls, std::uint32_t process,
                 std::string_view process_name);

}  // namespace takt::orb
