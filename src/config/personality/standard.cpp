#include "config/personality/personality.h"

namespace takt::orb {

const Personality standard_personality = {
    .name = "standard",
    .meaning = "The defaults in the table above. They suit most programs.",
    .presets = {},
};

}  // namespace takt::orb
