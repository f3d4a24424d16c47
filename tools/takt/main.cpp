// takt: the command line of the project.
#include <exception>
#include <iostream>

#include "command.h"

int main(int argc, char** argv) {
  takt::command_line::Program program("Tools for real-time CORBA with Takt.", "takt");
  program.add_version(TAKT_VERSION);
  program.require_command();
  takt::command::add_bridge(program);
  takt::command::add_ior(program);
  takt::command::add_options(program);
  takt::command::add_ping(program);
  takt::command::add_rt(program);
  takt::command::add_schedule(program);
  try {
    const auto ended = program.parse(argc, argv);
    return ended.value_or(0) == 0 ? 0 : takt::command::unusable;
  } catch (const takt::command::Failure& failure) {
    std::cerr << program.chosen() << ": " << failure.text << '\n';
    return failure.status;
  } catch (const takt::command::Answer& answer) {
    return answer.status;
  } catch (const std::exception& failure) {  // as of a TAKT_ variable that an ORB cannot use
    std::cerr << program.chosen() << ": " << failure.what() << '\n';
    return takt::command::unusable;
  }
}
