#include "trade/client.h"

#include <takt/corba.h>

#include "addresses/address_in.h"
#include "common/orb.h"
#include "common/output.h"
#include "ior/target.h"
#include "trading/query/criteria.h"

namespace takt::command {
namespace {

// Why a text is none, where this program can tell.
std::string reason_for(const CORBA::UserException& refused) {
  const auto at = [](const constraint::Fault& fault) {
    return "; at character " + std::to_string(fault.octet + 1) + ": " + fault.text;
  };
  if (const auto* illegal = dynamic_cast<const CosTrading::IllegalConstraint*>(&refused))
    if (const auto parsed = trading::Criterion::parse(illegal->constr(), {}); !parsed)
      return at(parsed.error());
  if (const auto* illegal = dynamic_cast<const CosTrading::Lookup::IllegalPreference*>(&refused))
    if (const auto parsed = trading::Preference::parse(illegal->pref(), {}); !parsed)
      return at(parsed.error());
  return {};
}

}  // namespace

void add_trader(const Command& command, TraderSettings& settings) {
  command.add("--service", settings.service, "reference of the trader's Lookup, as for takt ior, or @FILE")
      .show_default();
  command.add("--deadline", settings.deadline, "time for connecting, and for each reply", call_deadlines)
      .show_default();
  take_orb_options(command, settings.orb_options, "-ORBTLSAuthorities authority.pem");
}

TraderClient::TraderClient(const TraderSettings& settings)
    : orb_(settings.deadline, settings.orb_options),
      lookup_(IDL::traits<CosTrading::Lookup>::unchecked_narrow(
          object_at(orb_, reference_text(settings.service)))) {}

CORBA::object_reference<CosTrading::Register> TraderClient::registry() const {
  auto registry = lookup_->register_if();
  if (!registry) fail("the trader takes no offers: it has no Register", negative);
  return registry;
}

CORBA::object_reference<CosTradingRepos::ServiceTypeRepository> TraderClient::types() const {
  auto types = IDL::traits<CosTradingRepos::ServiceTypeRepository>::unchecked_narrow(lookup_->type_repos());
  if (!types) fail("the trader has no repository of service types", negative);
  return types;
}

CORBA::object_reference<CosTrading::Link> TraderClient::links() const {
  auto links = lookup_->link_if();
  if (!links) fail("the trader has no links: it has no interface Link", negative);
  return links;
}

json::Context property_context(const ClientOrb& orb) {
  json::Context context;
  context.resolve = [&orb](const std::string& text) -> std::expected<cdr::Ior, std::string> {
    try {
      const auto object = orb->string_to_object(text);
      return object ? addresses::ior_of(object) : cdr::Ior();
    } catch (const CORBA::Exception& failure) {
      return std::unexpected(text + ": " + failure.what());
    }
  };
  return context;
}

void fail_with_user_exception(const CORBA::UserException& refused) {
  std::string text = refused.what();
  try {
    text = cdr::text_of(cdr::exception_to_any(refused));
    constexpr std::string_view prefix = "any omg.org::";
    if (text.starts_with(prefix)) text.erase(0, prefix.size());
  } catch (const CORBA::SystemException&) {  // NOLINT(bugprone-empty-catch): the name is enough
  }
  fail("the trader refuses: " + escape_non_ascii(text) + escape_non_ascii(reason_for(refused)), negative);
}

}  // namespace takt::command
