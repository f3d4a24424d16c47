// The output files of an ORB's time probes.
#pragma once

#include <optional>
#include <string>

#include "probes/probe_log.h"

namespace takt::probes {

// Ends the recording, and writes NAME.json (a trace) and NAME.txt (a table). Returns an error text, or
// nullopt.
std::optional<std::string> write_probe_files(const std::string& name, ProbeLog& log,
                                             const std::string& orb_id);

}  // namespace takt::probes
