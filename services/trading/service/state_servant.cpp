#include "trading/service/state_servant.h"

namespace takt::trading {

Takt::Trading::State StateServant::look() {
  Takt::Trading::State state;
  if (parts_.used_types.remote()) {
    for (const std::string& name : parts_.offered_types()) state.types().push_back({name, false, 0, 0});
  } else {
    parts_.types.look([&](const TypeBook& book) {
      for (const auto& [name, type] : book.all()) state.types().push_back({name, type->own.masked(), 0, 0});
    });
  }
  {
    const std::shared_lock lock(parts_.offers.mutex);
    for (Takt::Trading::OffersOfType& each : state.types()) {
      each.offers(parts_.offers.book.count(each.type(), false));
      each.proxies(parts_.offers.book.count(each.type(), true));
    }
    for (const IndexState& each : parts_.offers.book.indexes())
      state.indexes().push_back({each.type, each.property, each.entries, each.used});
  }
  const Counts& counts = parts_.counts;
  state.links(parts_.links.size());
  state.iterators(iterators_.size());
  state.queries(counts.queries.load(std::memory_order_relaxed));
  state.indexed_queries(counts.indexed.load(std::memory_order_relaxed));
  state.offers_looked_at(counts.looked_at.load(std::memory_order_relaxed));
  state.exports(counts.exports.load(std::memory_order_relaxed));
  state.withdrawals(counts.withdrawals.load(std::memory_order_relaxed));
  state.dynamic_calls(counts.dynamic.calls.load(std::memory_order_relaxed));
  state.dynamic_failures(counts.dynamic.failures.load(std::memory_order_relaxed));
  state.link_queries(counts.link_queries.load(std::memory_order_relaxed));
  state.link_failures(counts.link_failures.load(std::memory_order_relaxed));
  state.loops(counts.loops.load(std::memory_order_relaxed));
  return state;
}

}  // namespace takt::trading
