// takt trace export.
#pragma once

#include "common/command.h"

namespace takt::command {

void add_trace_export(const Command& trace);

}  // namespace takt::command
