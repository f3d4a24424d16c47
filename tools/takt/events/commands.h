// The subcommands of takt events.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_events_list(const Command& events);
void add_events_rt(const Command& events);
void add_events_serve(const Command& events);
void add_events_watch(const Command& events);

}  // namespace takt::command
