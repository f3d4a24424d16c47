#include "trading/service/checks.h"

#include <set>

#include "CosTradingDynamicC.h"

namespace takt::trading {
namespace {

bool fits(const CORBA::typecode_reference& wanted, const CORBA::typecode_reference& given) {
  return given && (wanted->equivalent(given) || wanted->_unaliased().kind() == CORBA::TCKind::tk_any);
}

void check_type(const CosTrading::Property& given, const OfferProperty& property, const ServiceType& type,
                bool takes_dynamic) {
  if (property.dynamic && !takes_dynamic) throw CosTrading::PropertyTypeMismatch(type.name, given);
  const PropertyType* declared = type.property(property.name);
  CORBA::typecode_reference value_type = property.value.type();
  if (property.dynamic) {
    if (declared && is_readonly(declared->mode()))
      throw CosTrading::ReadonlyDynamicProperty(type.name, property.name);
    CosTradingDynamic::DynamicProp dynamic;
    if (!(property.value >>= dynamic) || !dynamic.eval_if())
      throw CosTrading::PropertyTypeMismatch(type.name, given);
    value_type = dynamic.returned_type();
  }
  if (declared && !fits(declared->value_type(), value_type))
    throw CosTrading::PropertyTypeMismatch(type.name, given);
}

void check_type_name(const Parts& parts, const std::string& name) {
  if (!is_type_name(name, parts.limits.name_bytes)) throw CosTrading::IllegalServiceType(name);
}

}  // namespace

void throw_limit(const std::string& text) { throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO, text); }

void require_written(const Journal::Outcome& outcome) {
  if (outcome) return;
  throw CORBA::PERSIST_STORE(0, outcome.error().maybe_done ? CORBA::COMPLETED_MAYBE : CORBA::COMPLETED_NO,
                             outcome.error().text);
}

TypePtr own_type(const Parts& parts, const std::string& name) {
  check_type_name(parts, name);
  TypePtr type = parts.types.find(name);
  if (!type) throw CosTrading::UnknownServiceType(name);
  return type;
}

TypePtr existing_type(const Parts& parts, const std::string& name) {
  const auto remote = parts.used_types.remote();
  if (!remote) return own_type(parts, name);
  check_type_name(parts, name);
  return remote->find(name);
}

TypePtr offered_type(const Parts& parts, const std::string& name) {
  check_type_name(parts, name);
  const auto remote = parts.used_types.remote();
  TypePtr type = remote ? remote->described(name) : own_type(parts, name);
  if (type->own.masked()) throw CosTrading::UnknownServiceType(name);
  return type;
}

Criterion criterion_of(const std::string& text, const Limits& limits) {
  auto criterion = Criterion::parse(text, limits);
  if (!criterion) throw CosTrading::IllegalConstraint(text);
  return std::move(*criterion);
}

OfferNumber existing_number(const std::string& id) {
  const auto number = number_of(id);
  if (!number) throw CosTrading::IllegalOfferId(id);
  return *number;
}

void check_names(const CosTrading::PropertyNameSeq& names, const Limits& limits) {
  std::set<std::string> seen;
  for (const std::string& each : names) {
    if (!is_property_name(each, limits.name_bytes)) throw CosTrading::IllegalPropertyName(each);
    if (!seen.insert(each).second) throw CosTrading::DuplicatePropertyName(each);
  }
}

std::vector<OfferProperty> checked_properties(const CosTrading::PropertySeq& given, const ServiceType& type,
                                              bool takes_dynamic, const Limits& limits) {
  if (given.size() > limits.offer_properties)
    throw_limit("an offer has at most " + std::to_string(limits.offer_properties) + " properties");
  CosTrading::PropertyNameSeq names;
  for (const CosTrading::Property& each : given) names.push_back(each.name());
  check_names(names, limits);
  std::vector<OfferProperty> properties;
  for (const CosTrading::Property& each : given) {
    const bool dynamic = each.value().type()->equivalent(IDL::type_code<CosTradingDynamic::DynamicProp>());
    properties.push_back({each.name(), each.value(), dynamic});
    check_type(each, properties.back(), type, takes_dynamic);
  }
  return properties;
}

void check_mandatory(const std::vector<OfferProperty>& properties, const ServiceType& type) {
  std::set<std::string> given;
  for (const OfferProperty& each : properties) given.insert(each.name);
  for (const PropertyType& each : type.properties)
    if (is_mandatory(each.mode()) && !given.contains(each.name()))
      throw CosTrading::MissingMandatoryProperty(type.name, each.name());
}

CosTrading::PropertySeq idl_of(const std::vector<OfferProperty>& properties) {
  CosTrading::PropertySeq all;
  for (const OfferProperty& each : properties) all.push_back({each.name, each.value});
  return all;
}

}  // namespace takt::trading
