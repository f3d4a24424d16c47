#include "constraint/component.h"

#include <array>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include "constraint/plain_value.h"
#include "constraint/real.h"

namespace takt::constraint {
namespace {

using CORBA::TCKind;
using Kind = Step::Kind;

template <class Dyn>
CORBA::object_reference<Dyn> as(const Part& part) {
  return IDL::traits<Dyn>::narrow(part);
}

bool is_list(TCKind kind) { return kind == TCKind::tk_sequence || kind == TCKind::tk_array; }
bool has_members(TCKind kind) {
  return kind == TCKind::tk_struct || kind == TCKind::tk_except || kind == TCKind::tk_value ||
         kind == TCKind::tk_event;
}

// Pays for taking a list apart: DynAnys of all its elements are made at once. Returns false if the steps do
// not suffice.
bool pay_for_elements(const Part& list, Budget& budget) { return budget.spend(list->component_count()); }

Part component_at(const Part& part, std::int64_t index) {
  if (index >= part->component_count()) return nullptr;
  part->seek(static_cast<std::int32_t>(index));
  return part->current_component();
}

Part member_of_union(const DynamicAny::DynUnion::_ref_type& whole) {
  return whole->has_no_active_member() ? nullptr : whole->member();
}

Part member_by_name(const Part& part, const std::string& name, Budget& budget) {
  if (const auto members = as<DynamicAny::DynMembers>(part)) {
    const std::uint32_t count = members->component_count();
    for (std::uint32_t i = 0; i < count && budget.spend(); ++i) {
      members->seek(static_cast<std::int32_t>(i));
      if (members->current_member_name() == name) return members->current_component();
    }
  } else if (const auto whole = as<DynamicAny::DynUnion>(part)) {
    return whole->has_no_active_member() || whole->member_name() != name ? nullptr : whole->member();
  }
  return nullptr;
}

Part member_by_position(const Part& part, std::int64_t number) {
  return has_members(kind_of(part)) ? component_at(part, number) : nullptr;
}

// The value of the first pair with that name, in a sequence of structs of a string and a value.
Part value_by_name(const Part& part, const std::string& name, Budget& budget) {
  if (!is_list(kind_of(part))) return nullptr;
  if (!pay_for_elements(part, budget)) return nullptr;
  const std::uint32_t count = part->component_count();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Part pair = component_at(part, i);
    if (kind_of(pair) != TCKind::tk_struct || pair->component_count() != 2) return nullptr;
    const auto own_name = value_of(component_at(pair, 0), budget);
    if (!own_name) return nullptr;
    if (const auto* text = std::get_if<std::string>(&*own_name); text && *text == name)
      return component_at(pair, 1);
  }
  return nullptr;
}

bool is_label(const Value& discriminator, const Step& step) {
  if (const auto* number = std::get_if<Integer>(&discriminator))
    return step.name.empty() && *number == step.number;
  if (const auto* label = std::get_if<Enumerator>(&discriminator))
    return step.name.empty() ? label->ordinal == step.number : label->label == step.name;
  if (const auto* truth = std::get_if<bool>(&discriminator))
    return step.name.empty() ? *truth == (step.number != 0) : step.name == (*truth ? "TRUE" : "FALSE");
  const auto* text = std::get_if<std::string>(&discriminator);
  return text && !step.name.empty() && *text == step.name;
}

Part member_by_label(const Part& part, const Step& step, Budget& budget) {
  const auto whole = as<DynamicAny::DynUnion>(part);
  const auto discriminator = whole ? value_of(whole->get_discriminator(), budget) : std::nullopt;
  return discriminator && is_label(*discriminator, step) ? member_of_union(whole) : nullptr;
}

Part default_member(const Part& part) {
  return has_default_member(part) ? member_of_union(as<DynamicAny::DynUnion>(part)) : nullptr;
}

std::optional<Found> fact(const Part& part, Kind kind, Budget& budget) {
  const auto with_aliases = part->type();
  const CORBA::TypeCode& type = with_aliases->_unaliased();
  switch (kind) {
    case Kind::length:
      if (!is_list(type.kind())) return std::nullopt;
      return Found{nullptr, Integer(part->component_count())};
    case Kind::discriminator: {
      if (type.kind() != TCKind::tk_union) return std::nullopt;
      auto value = value_of(as<DynamicAny::DynUnion>(part)->get_discriminator(), budget);
      return value ? std::optional(Found{nullptr, std::move(*value)}) : std::nullopt;
    }
    case Kind::type_id:
      return Found{nullptr, type.name()};  // BadKind for types without one
    default:
      return Found{nullptr, type.id()};
  }
}

Part stepped(const Part& part, const Step& step, Budget& budget) {
  switch (step.kind) {
    case Kind::member:
      return member_by_name(part, step.name, budget);
    case Kind::position:
      return member_by_position(part, step.number);
    case Kind::element:
      return is_list(kind_of(part)) && pay_for_elements(part, budget) ? component_at(part, step.number)
                                                                      : nullptr;
    case Kind::named:
      return value_by_name(part, step.name, budget);
    case Kind::label:
      return member_by_label(part, step, budget);
    default:
      return default_member(part);
  }
}

// An element that has no parts, and so no further steps.
std::optional<Found> plain_element(const PlainElements& elements, std::int64_t index, bool is_last) {
  if (!is_last || index >= elements.count()) return std::nullopt;
  auto value = elements.at(static_cast<std::uint32_t>(index));
  return value ? std::optional(Found{nullptr, std::move(*value)}) : std::nullopt;
}

bool is_fact(Kind kind) {
  return kind == Kind::length || kind == Kind::discriminator || kind == Kind::type_id ||
         kind == Kind::repository_id;
}

// The members that a variable of a structured event stands for.
std::span<const std::string_view> members_for(std::string_view variable) {
  static constexpr std::array<std::string_view, 4> domain{"header", "fixed_header", "event_type",
                                                          "domain_name"},
      type{"header", "fixed_header", "event_type", "type_name"};
  static constexpr std::array<std::string_view, 3> event_name{"header", "fixed_header", "event_name"};
  static constexpr std::array<std::string_view, 2> variable_header{"header", "variable_header"};
  static constexpr std::array<std::string_view, 1> filterable{"filterable_data"}, rest{"remainder_of_body"};
  if (variable == "domain_name") return domain;
  if (variable == "type_name") return type;
  if (variable == "event_name") return event_name;
  if (variable == "header") return std::span(domain).first(1);
  if (variable == "fixed_header") return std::span(domain).first(2);
  if (variable == "event_type") return std::span(domain).first(3);
  if (variable == "variable_header") return variable_header;
  if (variable == "filterable_data") return filterable;
  if (variable == "remainder_of_body") return rest;
  return {};
}

Part of_structured_event(Part part, const std::string& variable, Budget& budget) {
  const auto members = members_for(variable);
  for (const auto member : members) {
    part = member_by_name(part, std::string(member), budget);
    if (!part) return nullptr;
  }
  if (!members.empty()) return part;
  part = member_by_name(part, "filterable_data", budget);
  return part ? value_by_name(part, variable, budget) : nullptr;
}

Part start_of(const Part& event, const std::string& variable, Budget& budget) {
  if (variable.empty()) return event;
  const auto with_aliases = event->type();
  const CORBA::TypeCode& type = with_aliases->_unaliased();
  if (type.kind() == TCKind::tk_struct && type.id() == "IDL:omg.org/CosNotification/StructuredEvent:1.0")
    return of_structured_event(event, variable, budget);
  return is_list(type.kind()) ? value_by_name(event, variable, budget)
                              : member_by_name(event, variable, budget);
}

Value number_in(const std::string& fixed) {
  long double number = 0;
  std::from_chars(fixed.data(), fixed.data() + fixed.size(), number);
  return number;
}

}  // namespace

TCKind kind_of(const Part& part) { return part->type()->_unaliased().kind(); }

Part within(Part part, Budget& budget) {
  while (part && kind_of(part) == TCKind::tk_any) {
    if (!budget.spend()) return nullptr;
    part = part->get_dyn_any();
  }
  return part;
}

Part paid_within(Part part, Budget& budget) {
  while (part && kind_of(part) == TCKind::tk_any) {
    const std::size_t octets = part->get_any()._content().octets.size();
    if (!budget.spend(1 + octets / octets_a_step)) return nullptr;
    part = part->get_dyn_any();
  }
  return part;
}

std::optional<Found> found(const Part& event, const Path& path, Budget& budget) {
  Part part = paid_within(start_of(event, path.variable, budget), budget);
  for (std::size_t i = 0; i < path.steps.size() && part; ++i) {
    if (!budget.spend()) return std::nullopt;
    const Step& step = path.steps[i];
    const bool is_last = i + 1 == path.steps.size();
    if (is_fact(step.kind)) return is_last ? fact(part, step.kind, budget) : std::nullopt;
    if (step.kind == Kind::element)
      if (const auto elements = PlainElements::of(part))
        return plain_element(*elements, step.number, is_last);
    part = paid_within(stepped(part, step, budget), budget);
  }
  return part && !budget.exhausted() ? std::optional(Found{part, {}}) : std::nullopt;
}

bool has_default_member(const Part& part) {
  const auto whole = as<DynamicAny::DynUnion>(part);
  if (!whole || whole->has_no_active_member()) return false;
  const auto with_aliases = part->type();
  const CORBA::TypeCode& type = with_aliases->_unaliased();
  const std::int32_t index = type.default_index();
  return index >= 0 && whole->member_name() == type.member_name(static_cast<std::uint32_t>(index));
}

// Only the length of the copy tells what a text costs. A text for which the steps do not suffice is the last
// one that is copied.
std::optional<Value> value_of(const Part& part, Budget& budget) {
  Value value = value_of(part);
  const auto* text = std::get_if<std::string>(&value);
  if (text && !budget.spend(text->size() / octets_a_step)) return std::nullopt;
  return value;
}

Value value_of(const Part& part) {
  switch (kind_of(part)) {
    case TCKind::tk_boolean:
      return part->get_boolean();
    case TCKind::tk_octet:
      return Integer(part->get_octet());
    case TCKind::tk_short:
      return Integer(part->get_short());
    case TCKind::tk_ushort:
      return Integer(part->get_ushort());
    case TCKind::tk_long:
      return Integer(part->get_long());
    case TCKind::tk_ulong:
      return Integer(part->get_ulong());
    case TCKind::tk_longlong:
      return Integer(part->get_longlong());
    case TCKind::tk_ulonglong:
      return Integer(part->get_ulonglong());
    case TCKind::tk_float:
      return real_of(part->get_float());
    case TCKind::tk_double:
      return real_of(part->get_double());
    case TCKind::tk_longdouble:
      return part->get_longdouble();
    case TCKind::tk_fixed:
      return number_in(as<DynamicAny::DynFixed>(part)->get_value());
    case TCKind::tk_char:
      return std::string(1, part->get_char());
    case TCKind::tk_string:
      return part->get_string();
    case TCKind::tk_enum: {
      const auto enumerator = as<DynamicAny::DynEnum>(part);
      return Enumerator{enumerator->get_as_string(), enumerator->get_as_ulong()};
    }
    default:
      return Compound{};
  }
}

}  // namespace takt::constraint
