// The subcommands of `takt stream`.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_stream_list(const Command& stream);
void add_stream_receive(const Command& stream);
void add_stream_send(const Command& stream);
void add_stream_watch(const Command& stream);

}  // namespace takt::command
