// Templates of the runtime's as values of the mapping.
#pragma once

#include <takt/classic/interceptors.h>

#include "classic_interceptors/bridge/interceptors_bridge.h"

namespace PortableInterceptor {
inline namespace takt_classic_ {

// Takes the handle over. The caller's.
ObjectReferenceTemplate* template_of(takt::classic::interceptors::TemplateHandle* handle);

}  // namespace takt_classic_
}  // namespace PortableInterceptor
