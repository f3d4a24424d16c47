// Plug-ins that extend an ORB.
#pragma once

#include <string>
#include <vector>

namespace takt::orb {

struct OrbParts;

// Loads each FILE[:ARGUMENTS], in this order, and has it register; a name that takt::add_plugin() knows is no
// file. INITIALIZE, with a text that names the plug-in and says what is wrong, for the first that cannot be
// used, which then has registered nothing. One thread at a time.
void load_plugins(const std::vector<std::string>& texts, OrbParts& parts);

}  // namespace takt::orb
