// What makes references fail in the field.
#pragma once

#include <string>
#include <vector>

#include <takt/cdr/ior.h>

namespace takt::command {

// A sentence for each, without asking the network: addresses that lead nowhere or not far, nothing that we
// understand, an old version.
std::vector<std::string> warnings_of(const cdr::Ior& ior);

}  // namespace takt::command
