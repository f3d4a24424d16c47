// What a change of an option does.
#pragma once

#include "orb/config/option_names.h"
#include "orb/config/settings.h"

namespace takt::orb {

class Runtime;

// `option`, one of changes(), is as the settings have it, which go together. One thread at a time. Throws
// where it cannot be so, and then nothing has changed.
void take_effect(Runtime& runtime, const Option& option, const Settings& settings);

}  // namespace takt::orb
