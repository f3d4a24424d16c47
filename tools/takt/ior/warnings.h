// Common mistakes in references.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/ior.h>

namespace takt::command {

// A sentence for each problem found without the network: addresses that are unreachable or local, no profile
// that Takt understands, an old version.
// `typed`: a user wrote the addresses, not a server, so that no option of a server is recommended.
std::vector<std::string> warnings_of(const cdr::Ior& ior, bool typed = false);

}  // namespace takt::command
