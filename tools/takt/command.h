// The subcommands of `takt`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace takt::command {

// Exit statuses: of a negative answer, and of input that cannot be used.
inline constexpr int negative = 1, unusable = 2;

// How a subcommand ends with words of what went wrong, which main() prints behind its name.
struct Failure {
  std::string text;
  int status;
};
[[noreturn]] inline void fail(const std::string& text, int status = unusable) { throw Failure{text, status}; }

// Each adds itself, and what it does when it is chosen: it throws a Failure, or CLI::RuntimeError with an
// exit status where all has been said.
void add_bridge(CLI::App& app);
void add_ior(CLI::App& app);
void add_options(CLI::App& app);
void add_ping(CLI::App& app);
void add_schedule(CLI::App& app);
void add_schedule_calibrate(CLI::App& schedule);
void add_schedule_serve(CLI::App& schedule);

}  // namespace takt::command
