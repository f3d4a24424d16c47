// Sets the servants of a notification service.
#pragma once

#include "notification/service/access.h"

namespace takt::notification {

// The registry and the adapters must outlive the servants. Each sets those that its name says.
void set_proxy_servants(Registry& registry, const Adapters& adapters);
void set_filter_servants(Registry& registry, const Adapters& adapters);
void set_admin_servants(Registry& registry, const Adapters& adapters);

}  // namespace takt::notification
