// TAO's endpoints.
#pragma once

#include "foreign/setting.h"

namespace takt::orb::others {

// PROTOCOL://[V.v@]ADDRESS,.../OPTION=VALUE&...;...  Endpoints of Takt stay as they are.
std::string tao_endpoints(const Setting& setting, std::string_view value, Collector& into);

}  // namespace takt::orb::others
