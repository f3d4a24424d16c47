// takt trade: a trader, and a client of traders.
#include "trade/commands.h"

namespace takt::command {

void add_trade(const Command& program) {
  const Command trade = program.add_command(
      "trade", "Serves a trader, which finds services by their properties, and asks traders.");
  trade.require_command();
  add_trade_links(trade);
  add_trade_list(trade);
  add_trade_offers(trade);
  add_trade_query(trade);
  add_trade_serve(trade);
  add_trade_types(trade);
}

}  // namespace takt::command
