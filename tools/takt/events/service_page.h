// The figures of services with channels, as metrics.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/metrics_text.h"

namespace takt::command {

// Writes one metric after the other. `Observed` has a target and, if the service answered, its state.
template <class Observed, class State, class Channel>
class ServicePage {
 public:
  // The services must outlive it.
  explicit ServicePage(const std::vector<Observed>& services) : services_(services) {}

  // A figure of each service.
  void of_service(const char* name, const char* help,
                  const std::function<std::uint64_t(const State&)>& figure, const char* type = "gauge") {
    text_.begin(name, type, help);
    for (const Observed& each : services_)
      if (each.state) text_.sample(name, each.target, "", figure(*each.state));
  }
  // A figure of each channel; channels of the same name count as one.
  void of_channels(const char* name, const char* type, const char* help,
                   const std::function<std::uint64_t(const Channel&)>& figure) {
    text_.begin(name, type, help);
    for (const Observed& each : services_) {
      if (!each.state) continue;
      std::map<std::string, std::uint64_t> sums;
      for (const Channel& channel : each.state->channels()) sums[channel.name()] += figure(channel);
      for (const auto& [channel, sum] : sums)
        text_.sample(name, each.target, MetricsText::label("channel", channel), sum);
    }
  }
  // Whether each service has answered.
  void up(const char* name, const char* help) {
    text_.begin(name, "gauge", help);
    for (const Observed& each : services_) text_.sample(name, each.target, "", each.state ? 1 : 0);
  }
  std::string text() { return text_.text(); }

 private:
  const std::vector<Observed>& services_;
  MetricsText text_;
};

}  // namespace takt::command
