// The state of event services in Prometheus's text format, version 0.0.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_EventsC.h"

namespace takt::command {

// An event service that was asked; without a state it did not answer.
struct ObservedEvents {
  std::string target;
  std::optional<Takt::Events::State> state;
};

// Channels without a name count as one. Empty if there are no services.
std::string prometheus_text(const std::vector<ObservedEvents>& services);

}  // namespace takt::command
