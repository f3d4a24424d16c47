// The subcommands of `takt imr`.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_imr_serve(const Command& imr);
// list and status.
void add_imr_list(const Command& imr);
void add_imr_watch(const Command& imr);
// add, change, remove, start, stop, ticket and reference.
void add_imr_owner(const Command& imr);

}  // namespace takt::command
