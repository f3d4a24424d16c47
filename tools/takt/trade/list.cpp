// takt trade list: what a trader of Takt holds and has done.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/orb.h"
#include "common/output.h"
#include "ior/target.h"
#include "trade/commands.h"
#include "trade/trader_json.h"

namespace takt::command {
namespace {

struct TraderListSettings {
  std::string service = "corbaloc::localhost:2813/TaktTrading";
  std::vector<std::string> orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

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
  take_orb_options(list, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  list.on_chosen([settings] { run(*settings); });
}

}  // namespace takt::command
