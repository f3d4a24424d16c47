// The state of notification services in Prometheus's text format, version 0.0.4.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_NotificationC.h"

namespace takt::command {

// A notification service that was asked; without a state it did not answer.
struct ObservedNotification {
  std::string target;
  std::optional<Takt::Notification::State> state;
};

// Channels without a name count as one. Empty if there are no services.
std::string prometheus_text(const std::vector<ObservedNotification>& services);

}  // namespace takt::command
