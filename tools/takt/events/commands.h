// The subcommands of takt events.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_events_serve(const Command& events);

}  // namespace takt::command
