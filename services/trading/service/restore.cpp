#include "trading/service/restore.h"

#include <map>
#include <utility>

#include "CosTradingDynamicC.h"
#include "trading/service/register_servant.h"

namespace takt::trading {
namespace {

OfferPtr offer_in(const Parts& parts, StoredOffer&& row) {
  CosTrading::PropertySeq properties;
  if (!read_octets(row.properties, properties, parts.environment())) return nullptr;
  ObjectRef reference;
  if (!read_octets(row.reference, reference, parts.environment()) || !reference) return nullptr;
  auto offer = std::make_shared<Offer>();
  offer->octets = row.properties.size() + row.reference.size() + row.proxy.size();
  offer->number = row.number;
  offer->type = std::move(row.type);
  offer->reference = std::move(row.reference);
  offer->host = host_of(reference);
  for (CosTrading::Property& each : properties) {
    const bool dynamic = each.value().type()->equivalent(IDL::type_code<CosTradingDynamic::DynamicProp>());
    offer->properties.push_back({std::move(each.name()), std::move(each.value()), dynamic});
  }
  if (!row.proxy.empty()) {
    CosTrading::Proxy::ProxyInfo info;
    if (!read_octets(row.proxy, info, parts.environment())) return nullptr;
    offer->proxy = std::make_shared<const ProxyPart>(
        ProxyPart{info.if_match_all(), info.recipe(), info.policies_to_pass_on()});
  }
  return offer;
}

// The number of a setting, as the store names it; nothing for another name.
std::optional<Setting> setting_named(const std::string& name) {
  for (std::size_t i = 0; i < setting_count; ++i)
    if (name_of(static_cast<Setting>(i)) == name) return static_cast<Setting>(i);
  return std::nullopt;
}

bool restore_setting(Parts& parts, const std::string& name, const std::string& octets) {
  if (name == "incarnation") {
    std::uint64_t number = 0;
    if (!read_octets(octets, number, nullptr)) return false;
    parts.types.change([&](TypeBook& book) { book.set_incarnation(std::max(book.incarnation(), number)); });
    return true;
  }
  if (name == "type_repos") {
    if (octets.empty()) return true;  // the trader's own
    const ObjectRef repository = object_in(parts, octets);
    if (repository) parts.used_types.set(std::make_shared<RemoteTypes>(repository, parts.limits));
    return repository != nullptr;
  }
  if (name == "request_id_stem") {
    parts.settings.change([&](Settings& settings) { settings.request_id_stem = octets; });
    return true;
  }
  const auto setting = setting_named(name);
  std::uint32_t value = 0;
  if (!setting || !read_octets(octets, value, nullptr)) return false;
  parts.settings.change([&](Settings& settings) { settings.set(*setting, value); });
  return true;
}

bool restore_link(Parts& parts, const StoredLink& row) {
  constexpr auto most = static_cast<std::uint32_t>(FollowOption::always);
  ObjectRef target, target_register;
  if (!read_octets(row.target, target, parts.environment()) || !target || row.pass_on > most ||
      row.limiting > most || !read_octets(row.target_register, target_register, parts.environment()))
    return false;
  parts.links.put({row.name, IDL::traits<CosTrading::Lookup>::unchecked_narrow(target),
                   IDL::traits<CosTrading::Register>::unchecked_narrow(target_register),
                   static_cast<FollowOption>(row.pass_on), static_cast<FollowOption>(row.limiting)});
  return true;
}

// Supertypes first. False if one is missing, or they extend each other.
bool restore_types(Parts& parts, const std::vector<std::pair<std::string, std::string>>& rows) {
  std::map<std::string, TypeRepository::TypeStruct> left;
  for (const auto& [name, octets] : rows)
    if (!read_octets(octets, left[name], parts.environment())) return false;
  while (!left.empty()) {
    std::size_t put = 0;
    for (auto at = left.begin(); at != left.end();) {
      const bool ready = parts.types.look([&](const TypeBook& book) {
        return std::ranges::all_of(at->second.super_types(),
                                   [&](auto& each) { return book.find(each) != nullptr; });
      });
      if (!ready) {
        ++at;
        continue;
      }
      parts.types.change([&](TypeBook& book) { book.put(book.made(at->first, at->second)); });
      at = left.erase(at);
      ++put;
    }
    if (put == 0) return false;
  }
  return true;
}

}  // namespace

std::expected<void, std::string> restore(Parts& parts, const Store& store) {
  const auto stored = store.read([&](StoredOffer&& row) {
    OfferPtr offer = offer_in(parts, std::move(row));
    if (!offer) return false;
    const std::unique_lock lock(parts.offers.mutex);
    parts.offers.book.restore(std::move(offer));
    return true;
  });
  if (!stored) return std::unexpected(stored.error());
  {
    const std::unique_lock lock(parts.offers.mutex);
    parts.offers.book.set_last(stored->last_offer);
  }
  if (!restore_types(parts, stored->types)) return std::unexpected("a service type is damaged");
  for (const StoredLink& each : stored->links)
    if (!restore_link(parts, each)) return std::unexpected("the link " + each.name + " is damaged");
  for (const auto& [name, octets] : stored->settings)
    if (!restore_setting(parts, name, octets)) return std::unexpected("the setting " + name + " is damaged");
  return {};
}

}  // namespace takt::trading
