// The subcommands of `takt`.
#pragma once

#include <string>
#include <vector>

#include "command_line.h"

namespace takt::command {

// Exit statuses: of a negative answer, and of input that cannot be used.
inline constexpr int negative = 1, unusable = 2;

// How a subcommand ends with words of what went wrong, which main() prints behind its name.
struct Failure {
  std::string text;
  int status;
};
[[noreturn]] inline void fail(const std::string& text, int status = unusable) { throw Failure{text, status}; }

// How one ends where all has been said.
struct Answer {
  int status;
};

using command_line::Command;

// Each adds itself, and what it does when it is chosen: it throws a Failure or an Answer if that was no
// success.
void add_bridge(const Command& program);
void add_idl(const Command& program);
void add_ior(const Command& program);
// Options of the ORB, -ORBxxx VALUE, are taken out of the command line before it is read.
void add_name(const Command& program, std::vector<std::string> orb_options);
void add_naming(const Command& program, std::vector<std::string> orb_options);
void add_options(const Command& program);
void add_ping(const Command& program);
void add_rt(const Command& program);
void add_schedule(const Command& program);
void add_schedule_calibrate(const Command& schedule);
void add_schedule_serve(const Command& schedule);

}  // namespace takt::command
