// The state of a real-time event channel as JSON.
#pragma once

#include "Takt_RtEventsC.h"
#include "common/output.h"

namespace takt::command {

Json json_of_rt_channel(const Takt::RtEvents::State& state);

}  // namespace takt::command
