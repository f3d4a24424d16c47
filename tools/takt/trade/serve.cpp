// takt trade serve: runs a trader.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/serving.h"
#include "name/bind.h"
#include "trade/commands.h"
#include "trading/service/trading_service.h"

namespace takt::command {
namespace {

constexpr const char* trading_endpoint = "iiop://localhost:2813";

struct TradingSettings {
  bool in_memory = false;
  std::string store, output = "-", bind = "TradingService";
  Serving serving;
  trading::Limits limits;
  std::uint64_t types = limits.types, offers = limits.offers, offers_per_host = limits.offers_per_host,
                offer_properties = limits.offer_properties, offer_bytes = limits.offer_bytes,
                all_offers_bytes = limits.all_offers_bytes, host_bytes = limits.host_bytes,
                listed = limits.listed, list_bytes = limits.list_bytes, returned = limits.returned,
                iterators = limits.iterators, held_offers = limits.held_offers,
                constraint_bytes = limits.constraint_bytes, query_steps = limits.query_steps,
                indexes = limits.indexes, index_from_offers = limits.index_from_offers,
                property_calls = limits.property_calls, links = limits.links;
  std::chrono::nanoseconds iterator_idle = limits.iterator_idle, property_timeout = limits.property_timeout,
                           query_time = limits.query_time, link_timeout = limits.link_timeout,
                           interface_timeout = limits.interface_timeout;
};

trading::Limits trading_limits_of(const TradingSettings& settings) {
  using std::chrono::ceil, std::chrono::milliseconds;
  const auto count = [](std::uint64_t number, const char* option) {
    return number_up_to(1'000'000'000, number, option);
  };
  trading::Limits limits = settings.limits;
  limits.types = count(settings.types, "--max-types");
  limits.offers = count(settings.offers, "--max-offers");
  limits.offers_per_host = count(settings.offers_per_host, "--max-offers-per-host");
  limits.offer_properties = count(settings.offer_properties, "--max-properties");
  limits.offer_bytes = settings.offer_bytes;
  limits.all_offers_bytes = settings.all_offers_bytes;
  limits.host_bytes = settings.host_bytes;
  limits.listed = count(settings.listed, "--max-listed");
  limits.list_bytes = settings.list_bytes;
  limits.returned = count(settings.returned, "--max-returned");
  limits.iterators = count(settings.iterators, "--max-iterators");
  limits.held_offers = count(settings.held_offers, "--max-held-offers");
  limits.constraint_bytes = settings.constraint_bytes;
  limits.query_steps = count(settings.query_steps, "--max-query-steps");
  limits.indexes = settings.indexes;
  limits.index_from_offers = settings.index_from_offers;
  limits.property_calls = count(settings.property_calls, "--max-property-calls");
  limits.links = count(settings.links, "--max-links");
  limits.iterator_idle = ceil<milliseconds>(settings.iterator_idle);
  limits.property_timeout = ceil<milliseconds>(settings.property_timeout);
  limits.query_time = ceil<milliseconds>(settings.query_time);
  limits.link_timeout = ceil<milliseconds>(settings.link_timeout);
  limits.interface_timeout = ceil<milliseconds>(settings.interface_timeout);
  return limits;
}

void run(const TradingSettings& settings) {
  const trading::TradingService::Options options{
      .store = store_file(settings.in_memory, settings.store, "trading.db", "offers"),
      .limits = trading_limits_of(settings),
      .report =
          report_of_store("takt trade serve", "changes raise PERSIST_STORE, and queries are still answered")};
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb =
        serving_orb(settings.serving, trading_endpoint, "takt trade serve", {shared_connections});
    const auto trader = trading::TradingService::start(orb, options);
    if (!trader) fail(trader.error());
    const TakesRequests taking(orb);
    if (!settings.bind.empty())
      bind_in_naming(*orb, settings.bind, (*trader)->lookup(), "takt trade serve: the trader");
    announce_until_signal(*orb, (*trader)->lookup(), settings.output, signals);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void add_holdings(const Command& serve, TradingSettings& settings) {
  serve.add("--max-types", settings.types, "most service types; more raise IMP_LIMIT").show_default();
  serve.add("--max-offers", settings.offers, "most offers, with proxies; more raise IMP_LIMIT")
      .show_default();
  serve
      .add("--max-offers-per-host", settings.offers_per_host,
           "most offers of services at one host; more raise IMP_LIMIT")
      .show_default();
  serve.add("--max-properties", settings.offer_properties, "most properties of an offer").show_default();
  serve
      .add_size("--max-offer-octets", settings.offer_bytes,
                "most octets of an offer's reference and properties; more raise IMP_LIMIT")
      .show_default();
  serve
      .add_size("--max-total-octets", settings.all_offers_bytes,
                "most octets of all offers together; more raise IMP_LIMIT")
      .show_default();
  serve
      .add_size("--max-host-octets", settings.host_bytes,
                "most octets of the offers of services at one host; more raise IMP_LIMIT")
      .show_default();
  serve.add("--max-links", settings.links, "most links to other traders").show_default();
  serve.add("--max-indexes", settings.indexes, "most indexes on properties; 0 for none").show_default();
  serve.add("--index-from", settings.index_from_offers, "offers of a type from which on queries make indexes")
      .show_default();
}

void add_query_limits(const Command& serve, TradingSettings& settings) {
  constexpr command_line::Times idle{std::chrono::milliseconds(100), std::chrono::hours(24)};
  serve.add("--max-listed", settings.listed, "most elements of one list; the rest is in an iterator")
      .show_default();
  serve
      .add_size("--max-list-octets", settings.list_bytes,
                "most octets of one list, which has at least one element; the rest is in an iterator")
      .show_default();
  serve.add("--max-returned", settings.returned, "most offers that one query finds").show_default();
  serve
      .add("--max-iterators", settings.iterators,
           "most iterators; a new one replaces the one that was unused for the longest time")
      .show_default();
  serve.add("--max-held-offers", settings.held_offers, "most offers in all iterators together")
      .show_default();
  serve
      .add("--iterator-idle", settings.iterator_idle, "time without a call after which an iterator ends",
           idle)
      .show_default();
  serve
      .add_size("--max-constraint-octets", settings.constraint_bytes,
                "most octets of a constraint or preference; longer ones are illegal")
      .show_default();
  serve
      .add("--max-query-steps", settings.query_steps,
           "most steps of a query's constraint and preference for all offers together; then its search ends")
      .show_default();
  serve
      .add("--query-time", settings.query_time,
           "time for all calls that a query makes, to exporters and to other traders", call_times)
      .show_default();
  serve
      .add("--property-timeout", settings.property_timeout,
           "time for the value of one dynamic property; after that it counts as absent", call_times)
      .show_default();
  serve.add("--max-property-calls", settings.property_calls, "most values of dynamic properties in one query")
      .show_default();
  serve.add("--link-timeout", settings.link_timeout, "time for the answer of another trader", call_times)
      .show_default();
  serve
      .add("--interface-timeout", settings.interface_timeout,
           "time for the answer of a service that is offered, whether it has the type's interface",
           call_times)
      .show_default();
}

}  // namespace

void add_trade_serve(const Command& trade) {
  const auto settings = std::make_shared<TradingSettings>();
  const Command serve = trade.add_command(
      "serve", "Serves a trader at corbaloc::HOST:2813/TradingService until Ctrl-C. Prints its reference.");
  serve.add(
      "--store", settings->store,
      "SQLite file that stores types, offers and links; by default takt/trading.db in $XDG_STATE_HOME, or "
      "in ~/.local/state");
  serve.add_flag("--memory", settings->in_memory, "keep offers until the process exits");
  add_serving(serve, settings->serving, trading_endpoint);
  serve.add("-o,--output", settings->output, "file to write the reference to").show_default();
  add_bind(serve, settings->bind, "trader");
  add_holdings(serve, *settings);
  add_query_limits(serve, *settings);
  take_orb_options(serve, settings->serving.orb_options, "-ORBServiceNotify on");
  serve.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
