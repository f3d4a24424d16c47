// A page with a picture of what flows have carried.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "Takt_StreamsC.h"

namespace takt::command {

// The state of a device at a time since the first one.
struct FlowSample {
  std::chrono::nanoseconds at;
  Takt::Streams::State state;
};

// An HTML page without scripts: for each flow, frames a second, losses and jitter over time. `samples` are in
// the order of their times.
std::string html_of_flows(const std::vector<FlowSample>& samples, const std::string& service);

}  // namespace takt::command
