#include "orb/personality/personality.h"

namespace takt::orb {

const Personality standard_personality = {
    .name = "standard",
    .meaning = "What most programs want: the defaults of the table.",
    .presets = {},
};

}  // namespace takt::orb
