// Options of a real-time event channel that other processes use.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rt_events/event_channel.h"
#include "rt_events/service/limits.h"

namespace takt::rt_events {

struct EventChannelServiceOptions {
  EventChannelOptions channel = {};
  ServiceLimits limits = {};
  // The level of a consumer is the most urgent among those of its dependencies. By default rt_info 1 is the
  // first level, 2 the second and so on, and 0 the last. A channel with one level takes any rt_info.
  LevelOfInfo level_of = {};
  ClientDeclarations declarations = {};
  // References of other channels whose events come into this one, as far as its remote consumers want them.
  std::vector<std::string> peers = {};
  Report report = {};                    // clients that were disconnected, and connections that were refused
  std::function<void()> destroyed = {};  // a client has called destroy(); called in that request
};

}  // namespace takt::rt_events
