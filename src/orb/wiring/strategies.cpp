#include "orb/wiring/strategies.h"

#include <utility>

#include "queued/order/request_order.h"

namespace takt::orb {

namespace {

template <class T>
void move_all(NamedTable<T>& from, NamedTable<T>& into) {
  for (const auto& [name, strategy] : from.all()) into.NameTable::add(name, strategy);
}

}  // namespace

void StrategyTables::take_over(StrategyTables&& more) { move_all(more.orders, orders); }

StrategyTables built_in_strategies() {
  StrategyTables tables;
  for (const server::RequestOrder* const order : server::built_in_orders())
    tables.orders.add(std::string(order->name()), {std::shared_ptr<void>(), order});
  return tables;
}

}  // namespace takt::orb
