// Plug-ins that extend an ORB.
#pragma once

#include <string>
#include <vector>

namespace takt::orb {

struct OrbParts;

// Loads each FILE[:ARGUMENTS] in this order and runs it; names that were given to takt::add_plugin() are not
// files. Throws INITIALIZE with the plug-in and the reason for the first that cannot be used, of which
// nothing is registered. One thread at a time.
void load_plugins(const std::vector<std::string>& texts, OrbParts& parts);

}  // namespace takt::orb
