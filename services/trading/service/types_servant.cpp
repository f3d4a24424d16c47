#include "trading/service/types_servant.h"

#include <map>
#include <utility>

#include "trading/service/checks.h"

namespace takt::trading {
namespace {

bool strengthens(PropertyMode derived, PropertyMode base) {
  const auto bits = [](PropertyMode mode) { return static_cast<std::uint32_t>(mode); };
  return (bits(derived) & bits(base)) == bits(base);
}

}  // namespace

TypeRepository::IncarnationNumber TypesServant::incarnation() {
  return parts_.types.look([](const TypeBook& book) { return idl_of(book.incarnation()); });
}

// Whether one interface derives from another is not known here, so that only an interface that is given up is
// refused: a type whose bases all have one, and that itself takes any object.
void TypesServant::check_supers(const std::string& name, const std::string& if_name,
                                const TypeRepository::ServiceTypeNameSeq& super_types) const {
  std::set<std::string> seen;
  for (const std::string& each : super_types) {
    const TypePtr super = own_type(parts_, each);
    if (!seen.insert(each).second) throw TypeRepository::DuplicateServiceTypeName(each);
    const std::string& base_if = super->own.if_name();
    if (base_if != if_name && !base_if.empty() && base_if != any_object &&
        (if_name.empty() || if_name == any_object))
      throw TypeRepository::InterfaceTypeMismatch(each, base_if, name, if_name);
  }
}

void TypesServant::check_properties(const std::string& name, const TypeRepository::TypeStruct& own) const {
  CosTrading::PropertyNameSeq names;
  for (const PropertyType& each : own.props()) {
    names.push_back(each.name());
    if (!each.value_type() || each.value_type()->_unaliased().kind() <= CORBA::TCKind::tk_void)
      throw CORBA::BAD_TYPECODE(0, CORBA::COMPLETED_NO, "the property " + each.name() + " has no type");
  }
  check_names(names, parts_.limits);
  std::map<std::string, std::pair<std::string, PropertyType>> known;  // by name, with the type that has it
  for (const PropertyType& each : own.props()) known.try_emplace(each.name(), name, each);
  for (const std::string& super : own.super_types()) {
    const TypePtr base = parts_.types.find(super);
    for (const PropertyType& inherited : base->properties) {
      const auto [place, is_new] = known.try_emplace(inherited.name(), super, inherited);
      if (is_new) continue;
      const auto& [owner, definition] = place->second;
      const bool fits = definition.value_type()->equivalent(inherited.value_type()) &&
                        (owner != name || strengthens(definition.mode(), inherited.mode()));
      if (!fits) throw TypeRepository::ValueTypeRedefinition(owner, definition, super, inherited);
    }
  }
  if (known.size() > parts_.limits.type_properties)
    throw_limit("a type has at most " + std::to_string(parts_.limits.type_properties) + " properties");
}

void TypesServant::put(const TypePtr& type) {
  require_written(parts_.journal->write(
      Change{.action = Change::Action::put_type, .name = type->name, .octets = octets_of(type->own)}));
  parts_.types.change([&](TypeBook& book) { book.put(type); });
}

TypeRepository::IncarnationNumber TypesServant::add_type(
    const std::string& name, const std::string& if_name, const TypeRepository::PropStructSeq& props,
    const TypeRepository::ServiceTypeNameSeq& super_types) {
  const Limits& limits = parts_.limits;
  if (!is_type_name(name, limits.name_bytes)) throw CosTrading::IllegalServiceType(name);
  if (if_name.size() > limits.name_bytes || props.size() > limits.type_properties ||
      super_types.size() > limits.super_types)
    throw_limit("the type is too large");
  const std::unique_lock gate(parts_.gate);
  if (parts_.types.find(name)) throw TypeRepository::ServiceTypeExists(name);
  check_supers(name, if_name, super_types);
  TypeRepository::TypeStruct own;
  own.if_name(if_name);
  own.props(props);
  own.super_types(super_types);
  own.masked(false);
  check_properties(name, own);
  const TypePtr type = parts_.types.look([&](const TypeBook& book) {
    if (book.size() >= limits.types) throw_limit("the trader has its maximum number of types");
    own.incarnation(idl_of(book.incarnation() + 1));
    return book.made(name, own);
  });
  if (type->ancestors.size() > limits.super_types) throw_limit("the type extends too many types");
  put(type);
  return own.incarnation();
}

void TypesServant::remove_type(const std::string& name) {
  const std::unique_lock gate(parts_.gate);
  const TypePtr type = own_type(parts_, name);
  const auto below = parts_.types.look([&](const TypeBook& book) { return book.descendants(name); });
  if (!below.empty()) throw TypeRepository::HasSubTypes(name, below.front());
  {
    const std::shared_lock lock(parts_.offers.mutex);
    if (parts_.offers.book.count(name, false) + parts_.offers.book.count(name, true) > 0)
      throw CORBA::BAD_INV_ORDER(0, CORBA::COMPLETED_NO, "there are offers of the type; withdraw them first");
  }
  // The last incarnation stays known, so that no later type gets it again.
  const std::string last = octets_of(
      parts_.types.look([](const TypeBook& book) { return static_cast<std::uint64_t>(book.incarnation()); }));
  const std::array changes{Change{.action = Change::Action::remove_type, .name = name, .octets = {}},
                           Change{.action = Change::Action::set, .name = "incarnation", .octets = last}};
  require_written(parts_.journal->write(changes));
  parts_.types.change([&](TypeBook& book) { book.remove(name); });
}

TypeRepository::ServiceTypeNameSeq TypesServant::list_types(
    const TypeRepository::SpecifiedServiceTypes& which_types) {
  const Incarnation since =
      which_types._d() == TypeRepository::ListOption::since ? incarnation_of(which_types.incarnation()) : 0;
  return parts_.types.look([&](const TypeBook& book) {
    TypeRepository::ServiceTypeNameSeq names;
    for (const auto& [name, type] : book.all())
      if (type->incarnation() >= since) names.push_back(name);
    return names;
  });
}

TypeRepository::TypeStruct TypesServant::describe_type(const std::string& name) {
  return own_type(parts_, name)->own;
}

TypeRepository::TypeStruct TypesServant::fully_describe_type(const std::string& name) {
  const TypePtr type = own_type(parts_, name);
  TypeRepository::TypeStruct full(type->own);
  full.props(type->properties);
  full.super_types(type->ancestors);
  return full;
}

void TypesServant::set_mask(const std::string& name, bool masked) {
  const std::unique_lock gate(parts_.gate);
  const TypePtr type = own_type(parts_, name);
  if (masked && type->own.masked()) throw TypeRepository::AlreadyMasked(name);
  if (!masked && !type->own.masked()) throw TypeRepository::NotMasked(name);
  auto changed = std::make_shared<ServiceType>(*type);
  changed->own.masked(masked);
  put(changed);
}

void TypesServant::mask_type(const std::string& name) { set_mask(name, true); }
void TypesServant::unmask_type(const std::string& name) { set_mask(name, false); }

}  // namespace takt::trading
