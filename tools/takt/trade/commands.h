// The subcommands of `takt trade`.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_trade_serve(const Command& trade);
void add_trade_list(const Command& trade);
void add_trade_query(const Command& trade);
// link add, remove and list.
void add_trade_links(const Command& trade);
// export and withdraw.
void add_trade_offers(const Command& trade);
// types, add-type, remove-type, mask-type and unmask-type.
void add_trade_types(const Command& trade);

}  // namespace takt::command
