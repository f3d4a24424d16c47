// takt imr list and status: the servers of an implementation repository, and their processes.
#include <iostream>
#include <memory>
#include <utility>

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

Json json_of_all(Takt::Activation::Repository& repository) {
  Json servers = Json::array();
  for (const Takt::Activation::Server& each : servers_of(repository)) servers.push_back(json_of_server(each));
  return {{"servers", std::move(servers)}};
}

Takt::Activation::Server server_named(Takt::Activation::Repository& repository, const std::string& name) {
  try {
    return repository.status(name);
  } catch (const Takt::Activation::Refused& refused) {
    fail(refused.why(), negative);
  } catch (const CORBA::BAD_OPERATION&) {  // a repository of an earlier version
    for (Takt::Activation::Server& each : repository.list())
      if (each.name() == name) return std::move(each);
  }
  fail("there is no server " + name, negative);
}

void run(const ServersSettings& settings) {
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto repository = IDL::traits<Takt::Activation::Repository>::unchecked_narrow(
        object_at(orb, reference_text(settings.service)));
    const Json shown = settings.name.empty() ? json_of_all(*repository)
                                             : json_of_server(server_named(*repository, settings.name));
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
  take_orb_options(command, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  command.on_chosen([settings] { run(*settings); });
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
