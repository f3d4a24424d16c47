// takt ifr: an interface repository.
#include <filesystem>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/command.h"
#include "common/files.h"
#include "common/orb.h"
#include "common/output.h"
#include "common/serving.h"
#include "ifr/idl_of.h"
#include "ifr/load.h"
#include "ifr/repository_client.h"
#include "ifr/service/interface_repository.h"
#include "ior/target.h"

namespace takt::command {
namespace {

constexpr const char* repository_endpoint = "iiop://localhost:2811";
constexpr const char* store_text =
    "SQLite file of the definitions; by default takt/ifr.db in $XDG_STATE_HOME, or in ~/.local/state";

struct IfrSettings {
  std::string store, repository, name, output = "-";
  Serving serving;
  std::vector<std::string> files, include_folders, orb_options;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  bool recursive = false, as_json = false;

  std::string store_path() const { return state_file(store, "ifr.db"); }
};

void serve(const IfrSettings& settings) {
  const AwaitedSignals signals{SIGINT, SIGTERM};
  try {
    const auto orb = serving_orb(settings.serving, repository_endpoint, "takt ifr serve");
    const auto repository = ifr::InterfaceRepository::start(orb, {.store = settings.store_path()});
    if (!repository) fail(repository.error());
    const TakesRequests serving(orb);
    announce_until_signal(*orb, (*repository)->reference(), settings.output, signals);
    orb->destroy();
  } catch (const CORBA::Exception& failure) {
    fail(failure.what());
  }
}

void load(const IfrSettings& settings) {
  const std::string path = settings.store_path();
  auto store = ifr::Store::open(path);
  if (!store) fail(store.error());
  try {
    const auto counts = load_idl(*store, settings.files, settings.include_folders);
    if (!counts) {
      std::cerr << counts.error();
      fail("nothing was loaded");
    }
    if (settings.as_json)
      std::cout << text_of(
          Json{{"added", counts->added}, {"completed", counts->completed}, {"kept", counts->kept}});
    else
      std::cout << counts->added << " definitions added, " << counts->completed << " completed, "
                << counts->kept << " were there already\n";
  } catch (const CORBA::SystemException& failure) {
    fail(path + ": " + failure.what(), negative);
  }
}

// Runs f(client) with the repository that the settings name.
template <class F>
void with_repository(const IfrSettings& settings, F&& f) {
  if (!settings.repository.empty() && !settings.store.empty()) fail("give either --repository or --store");
  if (settings.repository.empty() && !std::filesystem::exists(settings.store_path()))
    fail(settings.store_path() + ": there is no such store; takt ifr load makes one");
  try {
    const RepositoryClient client(settings.repository,
                                  settings.repository.empty() ? settings.store_path() : std::string(),
                                  settings.deadline, settings.orb_options);
    f(client);
  } catch (const CORBA::SystemException& failure) {
    const std::string advice = advice_for(failure);
    fail(failure.what() + (advice.empty() ? "" : "; " + advice), negative);
  }
}

void list(const IfrSettings& settings) {
  with_repository(settings, [&](const RepositoryClient& client) {
    const auto scope = settings.name.empty() ? RepositoryClient::ContainedRef() : client.find(settings.name);
    const auto all = client.list(scope, settings.recursive);
    Json json = Json::array();
    for (const Listed& each : all) {
      if (settings.as_json)
        json.push_back({{"kind", word_for(each.kind)}, {"name", each.name.substr(2)}, {"id", each.id}});
      else
        std::cout << harmless(word_for(each.kind) + ' ' + each.name.substr(2) + "  " + each.id) << '\n';
    }
    if (settings.as_json) std::cout << text_of(json);
  });
}

void show(const IfrSettings& settings) {
  with_repository(settings, [&](const RepositoryClient& client) {
    const auto definition = client.find(settings.name);
    const std::string idl = idl_of(definition), id = definition->id(), version = definition->version(),
                      name = definition->absolute_name();
    if (settings.as_json)
      std::cout << text_of(Json{{"kind", word_for(definition->def_kind())},
                                {"name", name.starts_with("::") ? name.substr(2) : name},
                                {"id", id},
                                {"version", version},
                                {"idl", idl}});
    else
      std::cout << harmless("// " + id + '\n' + idl);
  });
}

// The inputs of list and show.
void add_source(const Command& command, IfrSettings& settings) {
  command.add(
      "--repository", settings.repository,
      "reference of a repository, which may be another ORB's; as for takt ior, or @FILE; without it, the "
      "store is read");
  command.add("--store", settings.store, store_text);
  command.add("--deadline", settings.deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  command.add_flag("--json", settings.as_json, "as JSON");
  take_orb_options(command, settings.orb_options, "-ORBTLSAuthorities authority.pem");
}

void add_serve(const Command& ifr, const std::shared_ptr<IfrSettings>& settings) {
  const Command command = ifr.add_command(
      "serve",
      "Serves the repository at corbaloc::HOST:2811/InterfaceRepository until Ctrl-C. Prints its reference.");
  command.add("--store", settings->store, store_text);
  add_serving(command, settings->serving, repository_endpoint);
  command.add("-o,--output", settings->output, "file to write the reference to").show_default();
  take_orb_options(command, settings->serving.orb_options, "-ORBServerConcurrency leader-followers");
  command.on_chosen([settings] { serve(*settings); });
}

void add_load(const Command& ifr, const std::shared_ptr<IfrSettings>& settings) {
  const Command command = ifr.add_command(
      "load",
      "Loads IDL files, and what they include, into the store: all of it, or nothing. A server that has "
      "the store open serves the new definitions at once.");
  command.add("files", settings->files, "IDL files; one that comes with Takt is found by its name")
      .required();
  command.add("-I", settings->include_folders, "a folder for the IDL's includes").one_at_a_time();
  command.add("--store", settings->store, store_text);
  command.add_flag("--json", settings->as_json, "the numbers of definitions as JSON");
  command.on_chosen([settings] { load(*settings); });
}

void add_list_of_definitions(const Command& ifr, const std::shared_ptr<IfrSettings>& settings) {
  const Command command = ifr.add_command("list", "Lists the definitions of a repository.");
  command.add(
      "scope", settings->name,
      "name or repository id of a module, interface or other scope; without it, the outermost definitions");
  command.add_flag("-r,--recursive", settings->recursive, "also what is in the listed scopes");
  add_source(command, *settings);
  command.on_chosen([settings] { list(*settings); });
}

void add_show(const Command& ifr, const std::shared_ptr<IfrSettings>& settings) {
  const Command command = ifr.add_command("show", "Shows a definition of a repository as IDL.");
  command.add("name", settings->name, "its name, such as Hello::Greeter, or its repository id").required();
  add_source(command, *settings);
  command.on_chosen([settings] { show(*settings); });
}

}  // namespace

void add_ifr(const Command& program) {
  const auto settings = std::make_shared<IfrSettings>();
  const Command ifr = program.add_command(
      "ifr",
      "Serves an interface repository, loads IDL into it, and shows the definitions of any repository.");
  ifr.require_command();
  add_serve(ifr, settings);
  add_load(ifr, settings);
  add_list_of_definitions(ifr, settings);
  add_show(ifr, settings);
}

}  // namespace takt::command
