// Applying changed options.
#pragma once

#include "config/option_names.h"
#include "config/settings.h"

namespace takt::orb {

class Runtime;

// Applies `option`, whose descriptor allows the change, from consistent settings. One thread at a time.
// Throws if that is impossible; then nothing has changed.
void take_effect(Runtime& runtime, const Option& option, const Settings& settings);

}  // namespace takt::orb
