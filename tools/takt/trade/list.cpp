// takt trade list: what a trader of Takt holds and has done.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "Takt_TradingC.h"
#include "common/orb.h"
#include "common/output.h"
#include "ior/target.h"
#include "trade/commands.h"

namespace takt::command {
namespace {

struct TraderListSettings {
  std::string service = "corbaloc::localhost:2813/TaktTrading";
  std::vector<std::string> orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

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

void run(const TraderListSettings& settings) {
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto service = IDL::traits<Takt::Trading::Service>::unchecked_narrow(
        object_at(orb, reference_text(settings.service)));
    const Json shown = json_of_trader(service->look());
    std::cout << (settings.as_json ? text_of(shown) : page_of(shown));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

}  // namespace

void add_trade_list(const Command& trade) {
  const auto settings = std::make_shared<TraderListSettings>();
  const Command list =
      trade.add_command("list", "Shows the types, offers and indexes of a trader, and what it has done.");
  list.add("--service", settings->service, "reference of the trader's state, as for takt ior, or @FILE")
      .show_default();
  list.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  list.add_flag("--json", settings->as_json, "as JSON");
  take_orb_options(list, "-ORBTLSAuthorities authority.pem");
  list.on_chosen([settings, list] {
    settings->orb_options = list.prefixed();
    run(*settings);
  });
}

}  // namespace takt::command
