// Tagged components of profiles.
#pragma once

#include "giop/references/profile.h"
#include "ior/json.h"

namespace takt::command {

// Its tag and name, what it says, or "error" with the octet from which on it makes no sense. Of those whose
// contents are nobody's business but the owner's, the octets. `has_ports`: of the profile's addresses.
Json component_json(const giop::TaggedComponent& component, bool has_ports);

}  // namespace takt::command
