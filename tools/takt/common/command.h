// The subcommands of `takt`.
#pragma once

#include <string>
#include <vector>

#include "command_line.h"

namespace takt::command {

// Exit statuses: a negative answer, and unusable input.
inline constexpr int negative = 1, unusable = command_line::unusable_command_line;
// `takt call`: the operation raised a user exception.
inline constexpr int user_exception = 3;

// Thrown by a subcommand to exit with an error message, which main() prints after the program's name.
struct Failure {
  std::string text;
  int status;
};
[[noreturn]] inline void fail(const std::string& text, int status = unusable) { throw Failure{text, status}; }

// Thrown by a subcommand to exit after it has printed everything.
struct Answer {
  int status;
};

using command_line::Command;

// The range of times to wait for connections and replies.
inline constexpr command_line::Times call_times{std::chrono::milliseconds(10), std::chrono::hours(1)};
// The range of times between two looks or calls.
inline constexpr std::chrono::hours longest_interval(24);

// Each function adds a subcommand and its action. An action throws a Failure or an Answer unless it succeeds.
void add_bridge(const Command& program);
// `json_words` are arguments of the operation, which are removed from the command line before it is parsed.
void add_call(const Command& program, std::vector<std::string> json_words);
void add_describe(const Command& program);
void add_events(const Command& program);
void add_hz(const Command& program);
void add_idl(const Command& program);
void add_ifr(const Command& program);
void add_imr(const Command& program);
void add_ior(const Command& program);
void add_list(const Command& program);
void add_metrics(const Command& program);
void add_name(const Command& program);
void add_naming(const Command& program);
void add_notify(const Command& program);
void add_options(const Command& program);
void add_ping(const Command& program);
void add_port(const Command& program);
void add_record(const Command& program);
void add_replay(const Command& program);
void add_rt(const Command& program);
void add_schedule(const Command& program);
void add_schedule_assign(const Command& schedule);
void add_schedule_calibrate(const Command& schedule);
void add_schedule_export(const Command& schedule);
void add_schedule_import(const Command& schedule);
void add_schedule_serve(const Command& schedule);
void add_stream(const Command& program);
void add_top(const Command& program);
void add_trace(const Command& program);
void add_trade(const Command& program);
void add_watch(const Command& program);

}  // namespace takt::command
