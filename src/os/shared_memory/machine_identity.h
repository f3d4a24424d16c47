// Which machine this is, and since when it runs; and which process.
#pragma once

#include <string>

namespace takt::os {

// Equal for two processes if and only if they run under the same kernel since the same start of it (the
// random boot_id of Linux); where the system does not tell, the machine's name. Reads a file.
std::string machine_identity();

// Equal for two callers if and only if they are in the same process, which a child that it forks is not: its
// number and a random one. Up to 32 octets, without a slash.
std::string process_identity();

}  // namespace takt::os
