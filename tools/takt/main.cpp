// takt: the command line of the project.
#include "command.h"

int main(int argc, char** argv) {
  CLI::App app("Tools for real-time CORBA with Takt.", "takt");
  app.set_version_flag("--version", TAKT_VERSION);
  app.require_subcommand(1);
  takt::command::add_schedule(app);
  CLI11_PARSE(app, argc, argv);
}
