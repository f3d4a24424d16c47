// The subcommands of `takt`.
#pragma once

#include <CLI/CLI.hpp>

namespace takt::command {

// Each adds itself, and what it does when it is chosen. Throws CLI::RuntimeError with the exit status where
// that is not 0: 1 for a negative answer, 2 for input that cannot be used.
void add_schedule(CLI::App& app);

}  // namespace takt::command
