// Makes changed options take effect.
#pragma once

#include "orb/config/option_names.h"
#include "orb/config/settings.h"

namespace takt::orb {

class Runtime;

// As the option's descriptor says, which lets it change. The settings have the change and go together. One
// thread at a time. Throws where the ORB cannot change so; then nothing has changed.
void take_effect(Runtime& runtime, const Option& option, const Settings& settings);

}  // namespace takt::orb
