// Personalities of plug-ins.
#pragma once

#include <string>
#include <vector>

#include "config/personality/personality.h"

namespace takt::orb {

// Adds those of each plug-in FILE[:ARGUMENTS]. Throws INITIALIZE as load_plugins() does.
void load_personalities(const std::vector<std::string>& texts, Personalities& personalities);

}  // namespace takt::orb
