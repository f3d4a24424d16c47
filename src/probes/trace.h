// Probed calls as a trace in Chrome's JSON format, which Perfetto can open.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string_view>

#include "probes/timeline.h"

namespace takt::probes {

// A slice per call, named for its operation, that contains a slice per step. Processes of one machine share
// the clock, so their events can be merged.
void write_trace(std::ostream& out, std::span<const ProbedCall> calls, std::uint32_t process,
                 std::string_view process_name);

}  // namespace takt::probes
