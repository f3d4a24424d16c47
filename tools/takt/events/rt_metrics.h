// The state of real-time event channels in Prometheus's text format, version 0.0.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_RtEventsC.h"

namespace takt::command {

// A channel that was asked; without a state it did not answer.
struct ObservedRtEvents {
  std::string target;
  std::optional<Takt::RtEvents::State> state;
};

// Empty if there are no channels.
std::string prometheus_text(const std::vector<ObservedRtEvents>& channels);

}  // namespace takt::command
