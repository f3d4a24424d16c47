// takt imr add, change, remove, start, stop, ticket, reference: what only the repository's owner may do.
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/serving.h"
#include "imr/commands.h"
#include "imr/model/definition.h"
#include "imr/owner_client.h"
#include "imr/service/definition_idl.h"

namespace takt::command {
namespace {

constexpr command_line::Times waits{std::chrono::milliseconds(1), std::chrono::hours(24)};

struct DefinitionSettings {
  OwnerSettings owner;
  imr::Definition definition{};
  std::string mode = "normal";
  std::uint64_t start_limit = definition.start_limit, most_processes = definition.most_processes;
  std::chrono::nanoseconds longest_start = definition.longest_start, longest_stop = definition.longest_stop,
                           first_pause = definition.first_pause, longest_pause = definition.longest_pause;
};

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

imr::Mode mode_of(const std::string& text) {
  if (text == "manual") return imr::Mode::manual;
  if (text == "per-client") return imr::Mode::per_client;
  return text == "automatic" ? imr::Mode::automatic : imr::Mode::normal;
}

imr::Definition definition_of(const DefinitionSettings& settings) {
  using std::chrono::ceil, std::chrono::milliseconds;
  imr::Definition definition = settings.definition;
  if (!definition.command.empty()) definition.command[0] = absolute(definition.command[0]);
  definition.directory = absolute(definition.directory);
  definition.reference_file = absolute(definition.reference_file);
  definition.output_file = absolute(definition.output_file);
  definition.mode = mode_of(settings.mode);
  definition.start_limit = number_up_to(1'000'000, settings.start_limit, "--start-limit");
  definition.most_processes = number_up_to(10'000, settings.most_processes, "--max-processes");
  definition.longest_start = ceil<milliseconds>(settings.longest_start);
  definition.longest_stop = ceil<milliseconds>(settings.longest_stop);
  definition.first_pause = ceil<milliseconds>(settings.first_pause);
  definition.longest_pause = ceil<milliseconds>(settings.longest_pause);
  return definition;
}

void add_times(const Command& command, DefinitionSettings& settings) {
  command
      .add("--longest-start", settings.longest_start,
           "time from its start until it serves, and for which clients wait; after that it is killed", waits)
      .show_default();
  command
      .add("--longest-stop", settings.longest_stop, "time until a process that was asked to end is killed",
           waits)
      .show_default();
  command
      .add("--pause", settings.first_pause,
           "pause before the start that follows a failure; each further failure doubles it", waits)
      .show_default();
  command.add("--longest-pause", settings.longest_pause, "the longest pause", waits).show_default();
  command
      .add("--start-limit", settings.start_limit,
           "failures in a row after which it is not started any more, until takt imr start")
      .show_default();
}

void add_definition(const Command& imr, const char* name, const char* meaning, bool is_new) {
  const auto settings = std::make_shared<DefinitionSettings>();
  const Command command = imr.add_command(name, meaning);
  command.add("name", settings->definition.name, "the server's name").required();
  command.add("command", settings->definition.command,
              "the program and its arguments, behind --; without them the repository only finds the server");
  command
      .add(
          "--mode", settings->mode,
          "when it starts: at a request (normal), only by takt imr start (manual), for each client a process "
          "of its own (per-client), or with the repository and whenever it has died (automatic)")
      .one_of({"normal", "manual", "per-client", "automatic"})
      .show_default();
  command.add("--directory", settings->definition.directory,
              "where it runs; by default where the repository runs");
  command
      .add("--environment", settings->definition.environment,
           "NAME=VALUE, besides the repository's own environment")
      .one_at_a_time();
  command.add("--reference", settings->definition.reference_file,
              "file to which a server that does not know the repository writes the reference of its main "
              "object; it is removed before each start");
  command.add("--log", settings->definition.output_file,
              "file to which its standard output and error are appended; by default they are lost");
  add_times(command, *settings);
  command.add("--max-processes", settings->most_processes, "most processes of mode per-client")
      .show_default();
  add_owner_socket(command, settings->owner);
  take_orb_options(command, settings->owner.orb_options, "-ORBConnectTimeout 5s",
                   "Those of the server follow --.");
  command.on_chosen([settings, is_new] {
    const auto definition = imr::definition_to(definition_of(*settings));
    const OwnerClient owner(settings->owner);
    ask_owner([&] { is_new ? owner->add(definition) : owner->change(definition); });
  });
}

struct NamedSettings {
  OwnerSettings owner;
  std::string name, key;
};

Command add_named(const Command& imr, const char* name, const char* meaning,
                  const std::shared_ptr<NamedSettings>& settings,
                  const std::function<void(const OwnerClient& owner, const NamedSettings& given)>& action) {
  const Command command = imr.add_command(name, meaning);
  command.add("name", settings->name, "the server's name").required();
  add_owner_socket(command, settings->owner);
  take_orb_options(command, settings->owner.orb_options, "-ORBConnectTimeout 5s");
  command.on_chosen([settings, action] {
    const OwnerClient owner(settings->owner);
    ask_owner([&] { action(owner, *settings); });
  });
  return command;
}

}  // namespace

void add_imr_owner(const Command& imr) {
  using Given = const NamedSettings&;
  const auto settings = [] { return std::make_shared<NamedSettings>(); };
  add_definition(imr, "add", "Adds a server, and the command that starts it.", true);
  add_definition(imr, "change", "Replaces a server's definition, for its next start.", false);
  add_named(imr, "remove", "Removes a server, which must be stopped.", settings(),
            [](const OwnerClient& owner, Given given) { owner->remove(given.name); });
  add_named(imr, "start", "Starts a server, and forgets its failures. Does not wait until it serves.",
            settings(), [](const OwnerClient& owner, Given given) { owner->start(given.name); });
  add_named(imr, "stop", "Asks the processes of a server to end. Does not wait for their end.", settings(),
            [](const OwnerClient& owner, Given given) { owner->stop(given.name); });
  add_named(
      imr, "ticket",
      "Prints the value of TAKT_IMR_TICKET with which a process that the repository does not start takes a "
      "server's place. It is a secret.",
      settings(),
      [](const OwnerClient& owner, Given given) { std::cout << owner->ticket(given.name) << "\n"; });
  const auto keyed = settings();
  add_named(imr, "reference", "Prints the reference of an object of a server, which leads to the repository.",
            keyed,
            [](const OwnerClient& owner, Given given) {
              std::cout << owner.orb()->object_to_string(owner->reference(given.name, given.key)) << "\n";
            })
      .add("--key", keyed->key, "the object's key in the server; by default the server's main object");
}

}  // namespace takt::command
