// The files that all of `takt trace` reads.
#pragma once

#include <string>
#include <vector>

#include "trace/traces.h"

namespace takt::command {

// Throws a Failure that names the file.
Traces read_traces(const std::vector<std::string>& paths);

}  // namespace takt::command
