#include "trade/metrics.h"

#include <cstdint>

#include "common/metrics_text.h"

namespace takt::command {
namespace {

using TraderState = Takt::Trading::State;

struct TraderMetric {
  const char *name, *type, *help;
  std::uint64_t (*figure)(const TraderState& state);
};

constexpr TraderMetric trader_metrics[] = {
    {"takt_trading_links", "gauge", "Links to other traders.",
     [](const TraderState& state) -> std::uint64_t { return state.links(); }},
    {"takt_trading_iterators", "gauge", "Iterators that clients have not destroyed.",
     [](const TraderState& state) -> std::uint64_t { return state.iterators(); }},
    {"takt_trading_indexes", "gauge", "Indexes on properties.",
     [](const TraderState& state) -> std::uint64_t { return state.indexes().size(); }},
    {"takt_trading_queries_total", "counter", "Queries.",
     [](const TraderState& state) -> std::uint64_t { return state.queries(); }},
    {"takt_trading_indexed_queries_total", "counter", "Queries that an index has served.",
     [](const TraderState& state) -> std::uint64_t { return state.indexed_queries(); }},
    {"takt_trading_offers_looked_at_total", "counter", "Offers that were compared with constraints.",
     [](const TraderState& state) -> std::uint64_t { return state.offers_looked_at(); }},
    {"takt_trading_exports_total", "counter", "Offers that were exported.",
     [](const TraderState& state) -> std::uint64_t { return state.exports(); }},
    {"takt_trading_withdrawals_total", "counter", "Offers that were withdrawn.",
     [](const TraderState& state) -> std::uint64_t { return state.withdrawals(); }},
    {"takt_trading_dynamic_calls_total", "counter", "Calls for values of dynamic properties.",
     [](const TraderState& state) -> std::uint64_t { return state.dynamic_calls(); }},
    {"takt_trading_dynamic_failures_total", "counter", "Those of them that gave no value.",
     [](const TraderState& state) -> std::uint64_t { return state.dynamic_failures(); }},
    {"takt_trading_link_queries_total", "counter", "Queries that were sent to other traders.",
     [](const TraderState& state) -> std::uint64_t { return state.link_queries(); }},
    {"takt_trading_link_failures_total", "counter", "Those of them that failed.",
     [](const TraderState& state) -> std::uint64_t { return state.link_failures(); }},
    {"takt_trading_loops_total", "counter", "Queries that came a second time.",
     [](const TraderState& state) -> std::uint64_t { return state.loops(); }},
};

}  // namespace

std::string prometheus_text(const std::vector<ObservedTrader>& traders) {
  if (traders.empty()) return {};
  MetricsText page;
  page.begin("takt_trading_up", "gauge", "Whether the trader has answered.");
  for (const ObservedTrader& each : traders)
    page.sample("takt_trading_up", each.target, "", each.state ? 1 : 0);
  page.begin("takt_trading_offers", "gauge", "Offers of a service type, with proxies.");
  for (const ObservedTrader& each : traders) {
    if (!each.state) continue;
    for (const auto& type : each.state->types())
      page.sample("takt_trading_offers", each.target, MetricsText::label("type", type.type()),
                  type.offers() + type.proxies());
  }
  for (const TraderMetric& metric : trader_metrics) {
    page.begin(metric.name, metric.type, metric.help);
    for (const ObservedTrader& each : traders)
      if (each.state) page.sample(metric.name, each.target, "", metric.figure(*each.state));
  }
  return page.text();
}

}  // namespace takt::command
