// The state of implementation repositories in Prometheus's text format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_ActivationC.h"

namespace takt::command {

// A repository that was asked; without servers it did not answer.
struct ObservedRepository {
  std::string target;
  std::optional<Takt::Activation::ServerList> servers;
};

// Empty if there are no repositories.
std::string prometheus_text(const std::vector<ObservedRepository>& repositories);

}  // namespace takt::command
