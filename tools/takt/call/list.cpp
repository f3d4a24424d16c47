// takt list and takt describe: the operations of an object or of IDL files.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>

#include "call/words.h"
#include "common/command.h"
#include "common/orb.h"
#include "common/output.h"
#include "ifr/described_by.h"
#include "ior/target.h"
#include "nearest.h"
#include "reference/object_ref.h"
#include "types/catalogue.h"
#include "types/describe.h"
#include "types/described.h"

namespace takt::command {
namespace {

struct ListSettings {
  std::vector<std::string> words;  // a reference unless there is IDL; then a name
  std::string name;                // empty: the object's interface
  std::string repository, interface;
  std::chrono::nanoseconds deadline = std::chrono::seconds(5);
  std::vector<std::string> idl, include_folders, orb_options;
  bool as_json = false, template_only = false;
};

// By the object's server, or by a repository. Throws a Failure.
Catalogue catalogue_at(const std::string& given, const ListSettings& settings) {
  const std::string reference = reference_text(given);
  try {
    const ClientOrb orb(settings.deadline, settings.orb_options);
    const auto object = object_at(orb, reference);
    if (settings.repository.empty()) return catalogue_of_object(object);
    const std::string type_id = object->_ref() ? object->_ref()->ior().type_id : std::string();
    return catalogue_in_repository(orb, settings.repository, type_id, settings.interface);
  } catch (const CORBA::SystemException& failure) {
    fail(text_with_advice(failure), negative);
  }
}

Catalogue catalogue_for(const ListSettings& settings) {
  if (settings.idl.empty()) return catalogue_at(settings.words.front(), settings);
  // IDL needs no ORB, but wrong options of one are refused as they are with a reference.
  const ClientOrb checked(settings.deadline, settings.orb_options);
  auto catalogue = catalogue_of_idl(settings.idl, settings.include_folders);
  if (!catalogue) {
    std::cerr << catalogue.error();
    fail("the IDL cannot be used");
  }
  return std::move(*catalogue);
}

void list(const ListSettings& settings) {
  const Catalogue catalogue = catalogue_for(settings);
  if (catalogue.interfaces.empty()) fail("the IDL has no interface", negative);
  Json all = Json::array();
  for (const Interface& interface : catalogue.interfaces) {
    Json names = Json::array();
    for (const Operation& operation : interface.operations)
      if (!operation.name.starts_with("_set_")) names.push_back(spoken_name(operation.name));
    all.push_back({{"interface", interface.name}, {"id", interface.id}, {"operations", std::move(names)}});
  }
  if (settings.as_json) {
    std::cout << text_of(all);
    return;
  }
  for (const Json& each : all) std::cout << page_of(each) << (&each == &all.back() ? "" : "\n");
}

Json description_of(const Operation& operation) {
  Json json = {{"operation", spoken_name(operation.name)},
               {"signature", signature_of(operation)},
               {"arguments", example_arguments(operation)}};
  if (operation.result->kind() != CORBA::TCKind::tk_void) json["result"] = example_of(operation.result);
  return json;
}

void show_operation(const Operation& operation, const ListSettings& settings) {
  if (settings.template_only) {
    std::cout << text_of(example_arguments(operation));
    return;
  }
  if (settings.as_json) {
    std::cout << text_of(description_of(operation));
    return;
  }
  std::cout << signature_of(operation) << '\n';
  for (const Parameter& parameter : operation.parameters)
    if (parameter.direction != Direction::out)
      std::cout << "  " << parameter.name << ": " << example_of(parameter.type).dump() << '\n';
  if (operation.result->kind() != CORBA::TCKind::tk_void)
    std::cout << "  result: " << example_of(operation.result).dump() << '\n';
}

void show_interface(const Interface& interface, const ListSettings& settings) {
  if (settings.template_only) {
    Json all = Json::object();
    for (const Operation& each : interface.operations) all[spoken_name(each.name)] = example_arguments(each);
    std::cout << text_of(all);
    return;
  }
  if (settings.as_json) {
    Json all = {{"interface", interface.name}, {"id", interface.id}, {"operations", Json::array()}};
    for (const Operation& each : interface.operations) all["operations"].push_back(description_of(each));
    std::cout << text_of(all);
    return;
  }
  std::cout << "interface " << interface.name << " (" << interface.id << ")\n";
  for (const Operation& each : interface.operations) show_operation(each, settings);
}

void describe(const ListSettings& settings) {
  const Catalogue catalogue = catalogue_for(settings);
  if (settings.name.empty()) return show_interface(catalogue.interfaces.front(), settings);
  if (const Interface* const interface = catalogue.find(settings.name))
    return show_interface(*interface, settings);
  bool found = false;
  std::vector<std::string> names;
  for (const Interface& interface : catalogue.interfaces) {
    names.push_back(interface.name);
    for (const Operation& operation : interface.operations) {
      names.push_back(spoken_name(operation.name));
      if (operation.name != settings.name && names.back() != settings.name) continue;
      show_operation(operation, settings);
      found = true;
    }
    if (found) return;
  }
  if (const auto type = catalogue.type_named(settings.name)) {
    std::cout << text_of(example_of(type));
    return;
  }
  fail("there is no interface, operation or type '" + settings.name + "'" +
           (names.empty() ? "" : "; the nearest is '" + command_line::nearest(settings.name, names) + "'"),
       negative);
}

std::shared_ptr<ListSettings> add_inputs(const Command& command, const char* words) {
  const auto settings = std::make_shared<ListSettings>();
  command.add("words", settings->words, words);
  command
      .add("--idl", settings->idl,
           "an IDL file, instead of a reference; one that comes with Takt is found by its name")
      .one_at_a_time();
  command.add("--repository", settings->repository,
              "reference of an interface repository that has the object's interface");
  command.add("--interface", settings->interface,
              "the interface in the repository, if the reference does not tell");
  command.add("-I", settings->include_folders, "a folder for the IDL's includes").one_at_a_time();
  command.add("--deadline", settings->deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  command.add_flag("--json", settings->as_json, "as JSON");
  take_orb_options(command, settings->orb_options, "-ORBTLSAuthorities authority.pem");
  return settings;
}

// Divides the words: the reference stays in them. `names` that the command takes after it, at most.
void take_words(ListSettings& settings, std::size_t names, bool name_is_required) {
  const bool has_idl = !settings.idl.empty();
  if (has_idl && !settings.repository.empty()) fail("give either --idl or --repository");
  const std::size_t references = has_idl ? 0 : 1;
  if (settings.words.size() < references)
    fail(
        "there is neither a reference nor IDL; give a reference of the object, or an IDL file with --idl "
        "FILE");
  if (settings.words.size() > references + names)
    fail("unexpected word '" + settings.words[references + names] + "'");
  if (settings.words.size() > references)
    settings.name = settings.words.back();
  else if (has_idl && name_is_required)
    fail("give the name of an interface, an operation, an attribute or a type of the IDL");
}

}  // namespace

void add_list(const Command& program) {
  const Command command = program.add_command(
      "list", "Lists the operations of an object, or the interfaces of IDL files with theirs.");
  const auto settings = add_inputs(command, "the object's reference, as for takt call; none with --idl");
  command.on_chosen([settings] {
    take_words(*settings, 0, false);
    list(*settings);
  });
}

void add_describe(const Command& program) {
  const Command command = program.add_command(
      "describe", "Shows the operations of an interface, with an example of each argument.");
  const auto settings =
      add_inputs(command,
                 "the object's reference, as for takt call, but none with --idl; and the name "
                 "of an interface, an operation, an attribute or a type");
  command.add_flag("--msg-template", settings->template_only, "only the arguments, for takt call -d");
  command.on_chosen([settings] {
    take_words(*settings, 1, true);
    describe(*settings);
  });
}

}  // namespace takt::command
