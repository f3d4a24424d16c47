// Identities of this boot of the machine, of namespaces, and of this process.
#pragma once

#include <string>

namespace takt::os {

// Equal for two processes if and only if they run under the same boot of the same kernel (Linux's random
// boot_id). The machine's name if that is unknown. Reads a file.
std::string machine_identity();

// Equal for two callers if and only if they are in the same process (a forked child is another one): the
// process id and a random number. Up to 32 octets, without a slash.
std::string process_identity();

// Equal for two processes if and only if they are in the same network and user namespaces of one machine's
// boot: abstract socket names and the numbers of users then mean the same to both. Empty if the system does
// not say. Reads files.
std::string namespace_identity();

}  // namespace takt::os
