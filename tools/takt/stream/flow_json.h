// Flows of a device as JSON.
#pragma once

#include "Takt_StreamsC.h"
#include "common/output.h"

namespace takt::command {

// The counts since `before`, which is an earlier state of the flow. Jitter and state are those of `now`.
Takt::Streams::Flow passed_since(const Takt::Streams::Flow& before, Takt::Streams::Flow now);
const char* word_for(Takt::Streams::FlowState state);
Json json_of_flow(const Takt::Streams::Flow& flow);
Json json_of_device(const Takt::Streams::State& state);

}  // namespace takt::command
