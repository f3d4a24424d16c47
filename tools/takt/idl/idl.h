// The subcommands of `takt idl`.
#pragma once

#include "common/command.h"

namespace takt::command {

// Adds `diff` and `rules`.
void add_idl_diff(const Command& idl);
void add_idl_format(const Command& idl);
void add_idl_lsp(const Command& idl);

}  // namespace takt::command
