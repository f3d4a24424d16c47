// The subcommands of takt notify.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_notify_list(const Command& notify);
void add_notify_serve(const Command& notify);
void add_notify_watch(const Command& notify);

}  // namespace takt::command
