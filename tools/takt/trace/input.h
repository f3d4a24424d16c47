// The files that all of `takt trace` reads.
#pragma once

#include <string>
#include <vector>

#include "trace/traces.h"

namespace takt::command {

// Names the files that cannot be read, on standard error, and leaves them out. Throws a Failure if there is
// no other.
Traces read_traces(const std::vector<std::string>& paths);

}  // namespace takt::command
