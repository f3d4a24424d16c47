// Plug-ins that extend an ORB.
#pragma once

#include <string>
#include <vector>

#include "connection/orb_core.h"

namespace takt::orb {

// Loads each FILE[:ARGUMENTS], in this order, and has it register; a name that takt::add_plugin() knows is no
// file. INITIALIZE, with a text that names the plug-in and says what is wrong, for the first that cannot be
// used, which then has registered nothing. One thread at a time.
void load_plugins(const std::vector<std::string>& texts, connection::OrbCore& core);

}  // namespace takt::orb
