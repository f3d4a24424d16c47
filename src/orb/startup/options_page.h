// The options as a page of the documentation.
#pragma once

#include <string>

namespace takt::orb {

// With what personalities set, and what does not go together.
std::string options_as_markdown();

}  // namespace takt::orb
