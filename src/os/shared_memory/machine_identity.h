// Which machine this is, and since when it runs.
#pragma once

#include <string>

namespace takt::os {

// Equal for two processes if and only if they run under the same kernel since the same start of it (the
// random boot_id of Linux); where the system does not tell, the machine's name. Reads a file.
std::string machine_identity();

}  // namespace takt::os
