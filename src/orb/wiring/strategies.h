// The strategies that options choose by name.
#pragma once

#include <takt/server/request_order.h>

#include "orb/wiring/named_table.h"

namespace takt::orb {

struct StrategyTables {
  NamedTable<server::RequestOrder> orders;  // QueueOrder

  // Adds all of `more`, of which no name may be in these tables.
  void take_over(StrategyTables&& more);
};

// The ORB's own strategies.
StrategyTables built_in_strategies();

}  // namespace takt::orb
