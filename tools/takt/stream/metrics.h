// The flows of devices in Prometheus's text format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_StreamsC.h"

namespace takt::command {

// A device that was asked; without a state it did not answer.
struct ObservedDevice {
  std::string target;
  std::optional<Takt::Streams::State> state;
};

// Empty if there are no devices.
std::string prometheus_text(const std::vector<ObservedDevice>& devices);

}  // namespace takt::command
