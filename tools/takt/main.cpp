// takt: the command line of the project.
#include <exception>
#include <iostream>

#include "command.h"

namespace {
// "takt schedule serve".
std::string chosen(const CLI::App& app) {
  const auto below = app.get_subcommands();
  return app.get_name() + (below.empty() ? "" : " " + chosen(*below.front()));
}
}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Tools for real-time CORBA with Takt.", "takt");
  app.set_version_flag("--version", TAKT_VERSION);
  app.require_subcommand(1);
  takt::command::add_bridge(app);
  takt::command::add_ior(app);
  takt::command::add_options(app);
  takt::command::add_ping(app);
  takt::command::add_schedule(app);
  try {
    app.parse(argc, argv);
  } catch (const takt::command::Failure& failure) {
    std::cerr << chosen(app) << ": " << failure.text << '\n';
    return failure.status;
  } catch (const CLI::RuntimeError& result) {
    return app.exit(result);
  } catch (const CLI::ParseError& result) {  // --help too
    return app.exit(result) == 0 ? 0 : takt::command::unusable;
  } catch (const std::exception& failure) {  // as of a TAKT_ variable that an ORB cannot use
    std::cerr << chosen(app) << ": " << failure.what() << '\n';
    return takt::command::unusable;
  }
}
