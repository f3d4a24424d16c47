// The state of traders in Prometheus's text format.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "Takt_TradingC.h"

namespace takt::command {

// A trader that was asked; without a state it did not answer.
struct ObservedTrader {
  std::string target;
  std::optional<Takt::Trading::State> state;
};

// Empty if there are no traders.
std::string prometheus_text(const std::vector<ObservedTrader>& traders);

}  // namespace takt::command
