// Options for all adapters of one ORB.
#pragma once

#include <cstddef>

#include <takt/base/live_setting.h>

#include "lookup/configured_lookups.h"

namespace takt::adapter {

// They may change while the ORB runs, by assigning the whole struct.
struct AdapterLimits {
  LiveSetting<std::size_t> held_requests = 1000;  // per POA manager; further ones get TRANSIENT
};

// Set before the first request, except the limits.
struct AdapterOptions : AdapterLimits {
  LookupStrategies lookup = {};    // for adapters without a look-up policy
  ConfiguredLookups lookups = {};  // for single adapters; prevails over `lookup`
  // Activating the first manager counts as adapters_complete().
  bool complete_when_activated = true;
};

}  // namespace takt::adapter
