// The state of ORBs in Prometheus's text format, version 0.0.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_AdminC.h"

namespace takt::command {

// An ORB that was asked; without a state it did not answer.
struct Observed {
  std::string target;
  std::optional<Takt::Admin::State> state;
};

std::string prometheus_text(const std::vector<Observed>& orbs);

}  // namespace takt::command
