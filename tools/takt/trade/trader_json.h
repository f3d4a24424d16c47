// The state of a trader as JSON.
#pragma once

#include "Takt_TradingC.h"
#include "common/output.h"

namespace takt::command {

Json json_of_trader(const Takt::Trading::State& state);

}  // namespace takt::command
