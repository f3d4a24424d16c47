// The state of naming services in Prometheus's text format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_NamingC.h"

namespace takt::command {

// A naming service that was asked; without a state it did not answer.
struct ObservedNaming {
  std::string target;
  std::optional<Takt::Naming::State> state;
};

// Empty if there are no services.
std::string prometheus_text(const std::vector<ObservedNaming>& services);

}  // namespace takt::command
