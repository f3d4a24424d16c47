// The servants of a repository's objects: one for each kind, which serves all objects of the kind.
#pragma once

#include <takt/adapter/servant_manager.h>

#include "ifr/service/core.h"

namespace takt::ifr {

// Chooses the servant by the kind in the object id.
Ref<PortableServer::ServantLocator> make_locator(Core& core);

}  // namespace takt::ifr
