// takt trade types, add-type, remove-type, mask-type and unmask-type: the service types of a trader.
#include <algorithm>
#include <functional>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/output.h"
#include "json/text.h"
#include "json/types.h"
#include "trade/client.h"
#include "trade/commands.h"

namespace takt::command {
namespace {

using Repository = CosTradingRepos::ServiceTypeRepository;
using Mode = Repository::PropertyMode;

struct TypeSettings {
  TraderSettings trader;
  std::string name, interface = "IDL:omg.org/CORBA/Object:1.0";
  std::vector<std::string> properties, mandatory, readonly, extended;
  bool as_json = false;
};

const char* word_for(Mode mode) {
  switch (mode) {
    case Mode::PROP_NORMAL:
      return "normal";
    case Mode::PROP_READONLY:
      return "readonly";
    case Mode::PROP_MANDATORY:
      return "mandatory";
    case Mode::PROP_MANDATORY_READONLY:
      return "mandatory readonly";
  }
  return "";
}

Json json_of_description(const std::string& name, const Repository::TypeStruct& type) {
  Json properties = Json::array();
  for (const auto& each : type.props()) {
    json::Path path(each.name(), {});
    properties.push_back({{"name", each.name()},
                          {"type", json::json_of_type(each.value_type(), path)},
                          {"mode", word_for(each.mode())}});
  }
  return {{"name", name},
          {"interface", type.if_name()},
          {"extends", type.super_types()},
          {"masked", type.masked()},
          {"properties", std::move(properties)}};
}

void run_types(const TypeSettings& settings) {
  ask_trader([&] {
    const TraderClient client(settings.trader);
    const auto types = client.types();
    Json shown = Json::array();
    if (!settings.name.empty())
      shown = json_of_description(settings.name, types->fully_describe_type(settings.name));
    else
      for (const std::string& each : types->list_types({})) shown.push_back(each);
    if (settings.name.empty()) shown = Json{{"types", std::move(shown)}};
    std::cout << (settings.as_json ? text_of(shown) : page_of(shown));
  });
}

// "price=double", or a type in JSON.
Repository::PropStruct property_from(const std::string& text, const TypeSettings& settings) {
  const auto end = text.find('=');
  if (end == std::string::npos || end == 0) fail("--property takes NAME=TYPE, such as price=double");
  const std::string name = text.substr(0, end), type = text.substr(end + 1);
  const auto parsed = type.starts_with('{') ? json::parse(type) : Json(type);
  if (!parsed) fail("--property " + text + ": " + parsed.error());
  const auto has = [&](const std::vector<std::string>& names) {
    return std::ranges::find(names, name) != names.end();
  };
  const auto bits = (has(settings.readonly) ? 1u : 0u) | (has(settings.mandatory) ? 2u : 0u);
  json::Path path(name, {});
  return {name, json::type_of_json(*parsed, {}, path), static_cast<Mode>(bits)};
}

void run_add_type(const TypeSettings& settings) {
  ask_trader([&] {
    Repository::PropStructSeq properties;
    for (const std::string& each : settings.properties) properties.push_back(property_from(each, settings));
    for (const auto* names : {&settings.mandatory, &settings.readonly})
      for (const std::string& name : *names)
        if (std::ranges::none_of(properties, [&](auto& each) { return each.name() == name; }))
          fail("there is no --property " + name + "=...");
    const TraderClient client(settings.trader);
    client.types()->add_type(settings.name, settings.interface, properties, settings.extended);
  });
}

using TypeAction = std::function<void(Repository& types, const std::string& name)>;

void add_named(const Command& trade, const char* command_name, const char* meaning,
               const TypeAction& action) {
  const auto settings = std::make_shared<TypeSettings>();
  const Command command = trade.add_command(command_name, meaning);
  command.add("name", settings->name, "the type's name").required();
  add_trader(command, settings->trader);
  command.on_chosen([settings, action] {
    ask_trader([&] { action(*TraderClient(settings->trader).types(), settings->name); });
  });
}

void add_add_type(const Command& trade) {
  const auto settings = std::make_shared<TypeSettings>();
  const Command add = trade.add_command("add-type", "Adds a service type.");
  add.add("name", settings->name, "the type's name").required();
  add.add("--interface", settings->interface, "repository id of the interface that its services have")
      .show_default();
  add.add("--property", settings->properties,
          "NAME=TYPE, such as price=double, \"size=unsigned long\" or a type in JSON")
      .one_at_a_time();
  add.add("--mandatory", settings->mandatory, "a property that each offer has").one_at_a_time();
  add.add("--readonly", settings->readonly, "a property that no offer changes").one_at_a_time();
  add.add("--extends", settings->extended, "a type whose properties it inherits").one_at_a_time();
  add_trader(add, settings->trader);
  add.on_chosen([settings] { run_add_type(*settings); });
}

}  // namespace

void add_trade_types(const Command& trade) {
  const auto settings = std::make_shared<TypeSettings>();
  const Command types = trade.add_command("types", "Lists the service types, or shows one.");
  types.add("name", settings->name, "the type to show, with what it inherits");
  types.add_flag("--json", settings->as_json, "as JSON");
  add_trader(types, settings->trader);
  types.on_chosen([settings] { run_types(*settings); });
  add_add_type(trade);
  add_named(trade, "remove-type", "Removes a service type that has no offers and that none extends.",
            [](Repository& types, const std::string& name) {
              try {
                types.remove_type(name);
              } catch (const CORBA::BAD_INV_ORDER&) {
                fail("the type has offers; `takt trade withdraw --type " + escape_non_ascii(name) +
                         " --where ''` withdraws those that its exporters have left",
                     negative);
              }
            });
  add_named(trade, "mask-type", "Refuses new offers of a service type.",
            [](Repository& types, const std::string& name) { types.mask_type(name); });
  add_named(trade, "unmask-type", "Takes offers of a masked service type again.",
            [](Repository& types, const std::string& name) { types.unmask_type(name); });
}

}  // namespace takt::command
