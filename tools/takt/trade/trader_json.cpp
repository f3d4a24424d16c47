#include "trade/trader_json.h"

namespace takt::command {

Json json_of_trader(const Takt::Trading::State& state) {
  Json types = Json::array(), indexes = Json::array();
  for (const auto& each : state.types())
    types.push_back({{"type", each.type()},
                     {"offers", each.offers()},
                     {"proxies", each.proxies()},
                     {"masked", each.masked()}});
  for (const auto& each : state.indexes())
    indexes.push_back({{"type", each.type()},
                       {"property", each.property()},
                       {"entries", each.entries()},
                       {"used", each.used()}});
  return {{"types", std::move(types)},
          {"indexes", std::move(indexes)},
          {"links", state.links()},
          {"iterators", state.iterators()},
          {"queries", state.queries()},
          {"indexed_queries", state.indexed_queries()},
          {"offers_looked_at", state.offers_looked_at()},
          {"exports", state.exports()},
          {"withdrawals", state.withdrawals()},
          {"dynamic_calls", state.dynamic_calls()},
          {"dynamic_failures", state.dynamic_failures()},
          {"link_queries", state.link_queries()},
          {"link_failures", state.link_failures()},
          {"loops", state.loops()}};
}

}  // namespace takt::command
