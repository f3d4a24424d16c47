// takt imr list and status: the servers of an implementation repository, and their processes.
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/orb.h"
#include "common/output.h"
#include "imr/commands.h"
#include "imr/server_json.h"
#include "ior/target.h"

namespace takt::command {
namespace {

struct ServersSettings {
  std::string name, service = "corbaloc::localhost:2812/TaktImr";
  std::vector<std::string> orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool as_json = false;
};

void run(const ServersSettings& settings) {
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto repository = IDL::traits<Takt::Activation::Repository>::unchecked_narrow(
        object_at(orb, reference_text(settings.service)));
    Json servers = Json::array();
    for (const Takt::Activation::Server& each : repository->list())
      if (settings.name.empty() || each.name() == settings.name) servers.push_back(json_of_server(each));
    if (!settings.name.empty() && servers.empty()) fail("there is no server " + settings.name, negative);
    const Json shown = settings.name.empty() ? Json{{"servers", servers}} : servers[0];
    std::cout << (settings.as_json ? text_of(shown) : page_of(shown));
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

Command add_look(const Command& imr, const char* name, const char* meaning,
                 const std::shared_ptr<ServersSettings>& settings) {
  const Command command = imr.add_command(name, meaning);
  command.add("--service", settings->service, "reference of the repository, as for takt ior, or @FILE")
      .show_default();
  command.add("--deadline", settings->deadline, "time for connecting, and for the reply", call_deadlines)
      .show_default();
  command.add_flag("--json", settings->as_json, "as JSON");
  take_orb_options(command, "-ORBTLSAuthorities authority.pem");
  command.on_chosen([settings, command] {
    settings->orb_options = command.prefixed();
    run(*settings);
  });
  return command;
}

}  // namespace

void add_imr_list(const Command& imr) {
  add_look(imr, "list", "Lists the servers of a repository, their processes and failures.",
           std::make_shared<ServersSettings>());
  const auto one = std::make_shared<ServersSettings>();
  add_look(imr, "status", "Shows one server of a repository.", one)
      .add("name", one->name, "the server's name")
      .required();
}

}  // namespace takt::command
