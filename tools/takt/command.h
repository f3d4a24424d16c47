// The subcommands of `takt`.
#pragma once

#include <CLI/CLI.hpp>

namespace takt::command {

inline constexpr int negative = 1, unusable = 2;

// Each adds itself, and what it does when it is chosen. Throws CLI::RuntimeError with the exit status where
// that is not 0: `negative` for a negative answer, `unusable` for input that cannot be used.
void add_bridge(CLI::App& app);
void add_ior(CLI::App& app);
void add_options(CLI::App& app);
void add_ping(CLI::App& app);
void add_schedule(CLI::App& app);
void add_schedule_calibrate(CLI::App& schedule);
void add_schedule_serve(CLI::App& schedule);

}  // namespace takt::command
