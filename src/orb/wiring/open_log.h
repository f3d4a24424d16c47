// Opens the log of an ORB.
#pragma once

#include "config/settings.h"

namespace takt::orb {

// Opens the output of LogFile, and returns the settings. Throws INITIALIZE, with the system's reason, if it
// cannot be opened. Call once, before the ORB logs anything.
const Settings& with_open_log(const Settings& settings);

}  // namespace takt::orb
