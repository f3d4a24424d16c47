// Tagged components of profiles.
#pragma once

#include "common/output.h"
#include "giop/references/profile.h"

namespace takt::command {

// The component's tag, name and contents. If it is malformed, "error" has the octet at which reading failed.
// Contents of vendors' components are shown as octets. `has_ports`: whether the profile's addresses have
// ports.
Json component_json(const giop::TaggedComponent& component, bool has_ports);

}  // namespace takt::command
