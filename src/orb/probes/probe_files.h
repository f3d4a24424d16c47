// What the time probes of an ORB leave behind.
#pragma once

#include <optional>
#include <string>

#include "adapter/measuring/execution_times.h"
#include "probes/probe_log.h"

namespace takt::orb {

// Ends recording, and writes NAME.json, a trace, and NAME.txt, a table. Nothing, or what went wrong.
std::optional<std::string> write_probe_files(const std::string& name, probes::ProbeLog& log,
                                             const std::string& orb_id);
// Writes what was measured so far as JSON, for takt schedule calibrate. Nothing, or what went wrong.
std::optional<std::string> write_execution_times(const std::string& file,
                                                 const adapter::ExecutionTimes& times);

}  // namespace takt::orb
