// Advice for programs that talk with the ORB of a reference.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/ior.h>

namespace takt::command {

// A sentence for each matter in which the ORB that made the reference differs, or in which the reference
// leaves something open, with the option that decides it. Uses only the reference.
std::vector<std::string> advice_on(const cdr::Ior& ior);

// Where a service of TAO's listens, if the reference's key is the name of one; else empty. For services that
// do not answer.
std::string advice_on_port(const cdr::Ior& ior);

}  // namespace takt::command
