// takt trade export and withdraw: the offers of a service.
#include <algorithm>
#include <iostream>
#include <memory>

#include <takt/corba.h>

#include "common/output.h"
#include "ior/target.h"
#include "json/text.h"
#include "trade/client.h"
#include "trade/commands.h"

namespace takt::command {
namespace {

struct OfferSettings {
  TraderSettings trader;
  std::string type, reference;
  std::vector<std::string> properties;
};

struct WithdrawSettings {
  TraderSettings trader;
  std::vector<std::string> ids;
  std::string type;
  std::optional<std::string> constraint;
};

using PropertyTypes = CosTradingRepos::ServiceTypeRepository::PropStructSeq;

// The type of a property that the service type does not have.
CORBA::typecode_reference guessed_type(const Json& value) {
  if (value.is_boolean()) return IDL::type_code<bool>();
  if (value.is_number_integer()) return IDL::type_code<std::int64_t>();
  return value.is_number() ? IDL::type_code<double>() : IDL::type_code<std::string>();
}

// The text as JSON; as a string, if it is none or the property is one.
Json value_from(const std::string& text, const CORBA::typecode_reference& type) {
  const bool is_text = type && type->_unaliased().kind() == CORBA::TCKind::tk_string;
  const auto parsed = json::parse(text);
  if (parsed && !(is_text && !parsed->is_string())) return *parsed;
  return Json(text);
}

CosTrading::PropertySeq properties_from(const std::vector<std::string>& words, const PropertyTypes& types,
                                        const ClientOrb& orb) {
  CosTrading::PropertySeq properties;
  json::Values values(property_context(orb));
  for (const std::string& word : words) {
    const auto end = word.find('=');
    if (end == std::string::npos || end == 0) fail("'" + word + "' is no NAME=VALUE");
    const std::string name = word.substr(0, end);
    const auto declared = std::ranges::find_if(types, [&](auto& each) { return each.name() == name; });
    CORBA::typecode_reference type = declared == types.end() ? nullptr : declared->value_type();
    const Json value = value_from(word.substr(end + 1), type);
    properties.push_back({name, values.any_of(value, type ? type : guessed_type(value), name)});
  }
  return properties;
}

void export_offer(const OfferSettings& settings) {
  ask_trader([&] {
    const TraderClient client(settings.trader);
    const auto object = object_at(client.orb(), reference_text(settings.reference));
    const PropertyTypes types = client.types()->fully_describe_type(settings.type).props();
    const auto properties = properties_from(settings.properties, types, client.orb());
    std::cout << escape_non_ascii(client.registry()->_cxx_export(object, settings.type, properties)) << '\n';
  });
}

void run_withdraw(const WithdrawSettings& settings) {
  if (settings.ids.empty() == settings.type.empty()) fail("give ids of offers, or --type and --where");
  if (!settings.type.empty() && !settings.constraint)
    fail("--type needs --where CONSTRAINT; '' withdraws all offers of the type");
  ask_trader([&] {
    const TraderClient client(settings.trader);
    const auto registry = client.registry();
    for (const std::string& each : settings.ids) registry->withdraw(each);
    if (!settings.type.empty()) registry->withdraw_using_constraint(settings.type, *settings.constraint);
  });
}

}  // namespace

void add_trade_offers(const Command& trade) {
  const auto exported = std::make_shared<OfferSettings>();
  const Command exporting = trade.add_command("export", "Offers a service. Prints the offer's id.");
  exporting.add("type", exported->type, "the service type").required();
  exporting.add("reference", exported->reference, "reference of the service, as for takt ior, or @FILE")
      .required();
  exporting.add("properties", exported->properties,
                "NAME=VALUE, with the value in JSON; text needs no quotes");
  add_trader(exporting, exported->trader);
  exporting.on_chosen([exported] { export_offer(*exported); });
  const auto withdrawn = std::make_shared<WithdrawSettings>();
  const Command withdraw = trade.add_command("withdraw", "Withdraws offers.");
  withdraw.add("ids", withdrawn->ids, "ids of offers");
  withdraw.add("--type", withdrawn->type, "withdraw offers of the type and of those that extend it");
  withdraw.add("--where", withdrawn->constraint, "the constraint that they match");
  add_trader(withdraw, withdrawn->trader);
  withdraw.on_chosen([withdrawn] { run_withdraw(*withdrawn); });
}

}  // namespace takt::command
