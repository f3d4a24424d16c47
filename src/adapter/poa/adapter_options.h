// What the adapters of one ORB have in common that a user sets.
#pragma once

#include <cstddef>

#include <takt/base/changeable.h>

#include "adapter/lookup/configured_lookups.h"

namespace takt::adapter {

// They may change while the ORB runs, by assigning the whole.
struct AdapterLimits {
  Changeable<std::size_t> held_requests = 1000;  // by one POA manager; more get TRANSIENT
};

// Set before the first request, but for the limits.
struct AdapterOptions : AdapterLimits {
  LookupStrategies lookup = {};         // of adapters without a policy for it
  ConfiguredLookups lookups = {};       // of single ones, before that
  bool complete_when_activated = true;  // the first manager that becomes active completes the adapters
};

}  // namespace takt::adapter
