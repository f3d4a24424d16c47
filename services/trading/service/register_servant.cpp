#include "trading/service/register_servant.h"

#include <algorithm>
#include <set>

#include "addresses/address_in.h"
#include "events/delivery/with_timeout.h"
#include "trading/service/checks.h"
#include "trading/service/link_servant.h"
#include "trading/service/query.h"

namespace takt::trading {
namespace {

using RegisterStub = CosTrading::Register;  // inside the servant, the name means its base class

constexpr std::size_t longest_path = 100;

void delete_property(Offer& offer, const std::string& name, const ServiceType& type) {
  const auto found = std::ranges::find(offer.properties, name, &OfferProperty::name);
  if (found == offer.properties.end()) throw RegisterStub::UnknownPropertyName(name);
  const PropertyType* declared = type.property(name);
  if (declared && is_mandatory(declared->mode())) throw RegisterStub::MandatoryProperty(type.name, name);
  if (declared && is_readonly(declared->mode())) throw RegisterStub::ReadonlyProperty(type.name, name);
  offer.properties.erase(found);
}

// A readonly property that the offer does not have yet can be added.
void put_property(Offer& offer, OfferProperty property, const ServiceType& type) {
  const auto found = std::ranges::find(offer.properties, property.name, &OfferProperty::name);
  if (found == offer.properties.end()) {
    offer.properties.push_back(std::move(property));
    return;
  }
  const PropertyType* declared = type.property(property.name);
  if (declared && is_readonly(declared->mode()))
    throw RegisterStub::ReadonlyProperty(type.name, property.name);
  *found = std::move(property);
}

}  // namespace

std::string host_of(const ObjectRef& reference) {
  const std::string address = addresses::address_in(addresses::ior_of(reference));
  return address.substr(0, address.rfind(':'));
}

// Asks the object unless the reference says its type. No lock is held.
void RegisterServant::check_interface(const ObjectRef& reference, const ServiceType& type) const {
  const std::string& wanted = type.own.if_name();
  if (wanted.empty() || wanted == any_object || addresses::ior_of(reference).type_id == wanted) return;
  bool is_one = false;
  try {
    is_one = events::with_timeout(reference, parts_.limits.interface_timeout)->_is_a(wanted);
  } catch (const CORBA::SystemException&) {
    throw RegisterStub::InvalidObjectRef(reference);
  }
  if (!is_one) throw RegisterStub::InterfaceTypeMismatch(type.name, reference);
}

std::string RegisterServant::_cxx_export(ObjectRef reference, const std::string& type,
                                         const CosTrading::PropertySeq& properties) {
  if (!reference) throw RegisterStub::InvalidObjectRef(reference);
  const TypePtr of = offered_type(parts_, type);
  Offer offer;
  offer.properties = checked_properties(properties, *of, supports_dynamic_properties(), parts_.limits);
  check_mandatory(offer.properties, *of);
  check_interface(reference, *of);
  offer.type = type;
  offer.reference = octets_of(reference);
  offer.host = host_of(reference);
  return id_of(changes_.add(*of, std::move(offer)));
}

OfferPtr RegisterServant::existing(const std::string& id) const {
  OfferPtr offer = changes_.existing(id);
  if (offer->proxy) throw RegisterStub::ProxyOfferId(id);
  return offer;
}

void RegisterServant::withdraw(const std::string& id) { changes_.remove(existing(id)->number); }

RegisterStub::OfferInfo RegisterServant::describe(const std::string& id) {
  const OfferPtr offer = existing(id);
  return {object_in(parts_, offer->reference), offer->type, idl_of(offer->properties)};
}

void RegisterServant::modify(const std::string& id, const CosTrading::PropertyNameSeq& del_list,
                             const CosTrading::PropertySeq& modify_list) {
  if (!supports_modifiable_properties()) throw CosTrading::NotImplemented();
  const OfferPtr old = existing(id);
  CosTrading::PropertyNameSeq all = del_list;
  for (const CosTrading::Property& each : modify_list) all.push_back(each.name());
  check_names(all, parts_.limits);
  const TypePtr type = existing_type(parts_, old->type);  // before the locks; it has the offer, and so stays
  changes_.change(old->number, [&](Offer& offer) {
    auto put = checked_properties(modify_list, *type, supports_dynamic_properties(), parts_.limits);
    for (const std::string& each : del_list) delete_property(offer, each, *type);
    for (OfferProperty& each : put) put_property(offer, std::move(each), *type);
    if (offer.properties.size() > parts_.limits.offer_properties)
      throw_limit("an offer has at most " + std::to_string(parts_.limits.offer_properties) + " properties");
  });
}

void RegisterServant::withdraw_using_constraint(const std::string& type, const std::string& constr) {
  const TypePtr of = existing_type(parts_, type);
  const Criterion criterion = criterion_of(constr, parts_.limits);
  if (changes_.remove(matching(parts_, of, criterion)) == 0) throw RegisterStub::NoMatchingOffers(constr);
}

CORBA::object_reference<CosTrading::Register> RegisterServant::resolve(const CosTrading::TraderName& name) {
  const auto is_legal = [&](const std::string& each) { return is_link_name(each, parts_.limits.name_bytes); };
  if (name.empty() || name.size() > longest_path || !std::ranges::all_of(name, is_legal))
    throw RegisterStub::IllegalTraderName(name);
  const auto link = parts_.links.find(name.front());
  if (!link) throw RegisterStub::UnknownTraderName(name);
  const auto found = register_behind(parts_, *link);
  if (!found) throw RegisterStub::RegisterNotSupported(name);
  if (name.size() == 1) return found;
  const auto timed = events::with_timeout(found, parts_.limits.link_timeout);
  return IDL::traits<RegisterStub>::unchecked_narrow(timed)->resolve({name.begin() + 1, name.end()});
}

}  // namespace takt::trading
