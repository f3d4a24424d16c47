// The options as a page of the documentation.
#pragma once

#include <string>

namespace takt::orb {

// Includes the presets of personalities, and conflicts.
std::string options_as_markdown();

}  // namespace takt::orb
