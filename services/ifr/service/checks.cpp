#include "ifr/service/checks.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "ifr/model/type_text.h"
#include "ifr/service/search.h"

namespace takt::ifr {
namespace {

using CORBA::TCKind;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_identifier(const std::string& name) {
  return !name.empty() && is_letter(name.front()) &&
         std::ranges::all_of(name, [](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}
bool is_visible(const std::string& text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}
// IDL ignores the case of names when it compares them.
std::string in_lower_case(std::string name) {
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

[[noreturn]] void throw_bad_type(const std::string& why) {
  throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO, why);
}

// Interfaces and values that derive from the definition, directly or not.
std::vector<Number> all_derived(Core& core, Number base) {
  std::vector<Number> all{base};
  std::set<Number> seen{base};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<Number> users = core.store().inheritable_users(all[i], core.limits().listed + 1);
    if (users.size() > core.limits().listed) throw_limit("too many interfaces and values use this one");
    for (const Number user : users) {
      const Definition definition = core.definition(user);
      const Details& details = definition.details;
      const auto in = [&](const std::vector<Number>& list) {
        return std::ranges::find(list, all[i]) != list.end();
      };
      if (details.base() != all[i] && !in(details.bases()) && !in(details.supported())) {
        core.count_inherited(1);  // a value with a member of this type
        continue;
      }
      if (seen.insert(user).second) all.push_back(user);
    }
    if (all.size() > core.limits().listed) throw_limit("too many interfaces derive from this one");
  }
  all.erase(all.begin());
  return all;
}

void check_inherited(Core& core, const Definition& container, const std::string& name) {
  for (const Definition& base : all_bases(core, container))
    if (const auto taken = core.store().find_name(base.number, name); taken && is_feature(taken->kind))
      throw_bad_param(5, "'" + name + "' is inherited from " + base.id);
  for (const Number derived : all_derived(core, container.number))
    if (core.store().find_name(derived, name))
      throw_bad_param(5,
                      "'" + name + "' is in " + core.id_of(derived) + ", which derives from " + container.id);
}

// Inherited features of different bases, and those of the definition itself.
void check_bases(Core& core, const Definition& definition) {
  const auto require_other = [&](const Definition& derived) {
    if (has_base(derived, definition.number)) throw_bad_param(5, definition.id + " would derive from itself");
  };
  require_other(definition);
  std::map<std::string, std::string> names;  // the interface that has each
  for (const Entry& entry : core.store().contents(definition.number, core.limits().listed))
    names.emplace(in_lower_case(entry.name), definition.id);
  for (const Definition& base : all_bases(core, definition)) {
    require_other(base);
    for (const Entry& entry : features_of(core, base)) {
      const auto [place, is_new] = names.emplace(in_lower_case(entry.name), base.id);
      if (!is_new) throw_bad_param(5, base.id + " and " + place->second + " both have '" + entry.name + "'");
    }
  }
}

void check_interface(Core& core, const Definition& definition) {
  std::set<Number> seen;
  for (const Number number : definition.details.bases()) {
    const Entry base = core.entry(number);
    if (!seen.insert(number).second) throw_bad_param(5, base.id + " is a base twice");
    if (definition.kind == Kind::dk_AbstractInterface && base.kind != Kind::dk_AbstractInterface)
      throw_bad_param(11, base.id + ", a base of an abstract interface, is " + name_of(base.kind));
    if (definition.kind == Kind::dk_Interface && base.kind == Kind::dk_LocalInterface)
      throw_bad_param(0, base.id + ", a base of an interface, is a local interface");
  }
  check_bases(core, definition);
}

void check_value(Core& core, const Definition& definition) {
  const Details& details = definition.details;
  std::size_t concrete = 0;
  for (const Number number : details.supported())
    if (core.entry(number).kind != Kind::dk_AbstractInterface) ++concrete;
  if (concrete > 1) throw_bad_param(12, definition.id + " would support more than one concrete interface");
  for (const Number number : details.bases())
    if (!core.definition(number).details.is_abstract())
      throw_bad_param(0, core.id_of(number) + ", an abstract base, is not abstract");
  if (details.base()) {
    if (core.definition(details.base()).details.is_abstract())
      throw_bad_param(0, core.id_of(details.base()) + ", the concrete base, is abstract");
    if (details.is_abstract()) throw_bad_param(0, "an abstract value has no concrete base");
  }
  if (details.is_truncatable() && (!details.base() || details.is_custom()))
    throw_bad_param(0, "a truncatable value has a concrete base, and is not custom");
  if (details.is_abstract() && details.is_custom()) throw_bad_param(0, "an abstract value is not custom");
  check_bases(core, definition);
}

bool is_nothing(TCKind kind) {
  return kind == TCKind::tk_null || kind == TCKind::tk_void || kind == TCKind::tk_except;
}

void check_value_type(TypeCodes& types, const std::string& type) {
  if (is_nothing(types.of(type)->kind())) throw_bad_type("void, null and exceptions are types of no value");
}

void check_operation(TypeCodes& types, const Details& details) {
  const TCKind result = types.of(details.type())->kind();
  if (result != TCKind::tk_void && is_nothing(result)) throw_bad_type("an operation returns no such type");
  bool returns = result != TCKind::tk_void || !details.raised().empty();
  for (const Member& parameter : details.members()) {
    check_value_type(types, parameter.type());
    returns = returns || parameter.mode() != 0;
  }
  if (details.mode() != 0 && returns)
    throw_bad_param(31, "a oneway operation has no result, out or inout parameters, or exceptions");
}

void check_constant(TypeCodes& types, const Details& details) {
  const auto type = types.of(details.type());
  switch (type->_unaliased()._parts().kind) {
    case TCKind::tk_short:
    case TCKind::tk_long:
    case TCKind::tk_ushort:
    case TCKind::tk_ulong:
    case TCKind::tk_float:
    case TCKind::tk_double:
    case TCKind::tk_boolean:
    case TCKind::tk_char:
    case TCKind::tk_octet:
    case TCKind::tk_enum:
    case TCKind::tk_string:
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_longdouble:
    case TCKind::tk_wchar:
    case TCKind::tk_wstring:
    case TCKind::tk_fixed:
      break;
    default:
      throw_bad_type("a constant has no such type");
  }
  const auto given = details.value().type();
  if (given->kind() != TCKind::tk_null && !given->equivalent(type))
    throw_bad_param(0, "the value is not of the constant's type");
}

std::vector<std::string> names_of(const Members& members) {
  std::vector<std::string> names;
  for (const Member& member : members) names.push_back(member.name());
  return names;
}

// The adjacent members of a union with the same name and type are one, with several labels.
void check_union(Core& core, TypeCodes& types, const Definition& definition) {
  switch (types.of(definition.details.type())->_unaliased()._parts().kind) {
    case TCKind::tk_short:
    case TCKind::tk_long:
    case TCKind::tk_ushort:
    case TCKind::tk_ulong:
    case TCKind::tk_boolean:
    case TCKind::tk_char:
    case TCKind::tk_octet:
    case TCKind::tk_enum:
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_wchar:
      break;
    default:
      throw_bad_param(20, "a union's discriminator has no such type");
  }
  const auto discriminator = types.of(definition.details.type());
  const cdr::TypeCodeParts& labels_of = discriminator->_unaliased()._parts();
  std::vector<std::string> names;
  const Member* last = nullptr;
  std::set<std::int64_t> labels;
  bool has_default = false;
  for (const Member& member : definition.details.members()) {
    check_value_type(types, member.type());
    if (!last || last->name() != member.name() || core.expanded(last->type()) != core.expanded(member.type()))
      names.push_back(member.name());
    if (labels_of.kind == TCKind::tk_enum && !member.is_default() &&
        static_cast<std::uint64_t>(member.label()) >= labels_of.members.size())
      throw_bad_param(19, "a union's label is none of its enum's members");
    if (member.is_default() ? has_default : !labels.insert(member.label()).second)
      throw_bad_param(18, "two members of a union have the same label");
    has_default = has_default || member.is_default();
    last = &member;
  }
  check_member_names(core, names);
}

// The definitions that a type text contains: `by_value` those of which it contains a value, else all.
void add_contained(Core& core, std::vector<Number>& to, const std::string& of, bool by_value) {
  const std::string text = core.expanded(of);
  for (auto type = parse_type(text); type; type = parse_type(type->element)) {
    if (type->number) to.push_back(type->number);
    if (by_value && type->form == TypeText::Form::sequence) return;
  }
}

std::vector<Number> contained(Core& core, const Definition& definition, bool by_value) {
  std::vector<Number> all;
  if (definition.kind == Kind::dk_Alias || definition.kind == Kind::dk_ValueBox)
    add_contained(core, all, definition.details.type(), by_value);
  if (by_value && (definition.kind == Kind::dk_Struct || definition.kind == Kind::dk_Union ||
                   definition.kind == Kind::dk_Exception))
    for (const Member& member : definition.details.members()) add_contained(core, all, member.type(), true);
  return all;
}

bool contains_itself(Core& core, const Definition& definition, bool by_value) {
  std::vector<Number> open = contained(core, definition, by_value);
  std::set<Number> seen;
  while (!open.empty()) {
    const Number number = open.back();
    open.pop_back();
    if (number == definition.number) return true;
    if (!seen.insert(number).second) continue;
    if (seen.size() > core.limits().types) throw_limit("the type consists of too many other types");
    for (const Number inner : contained(core, core.definition(number), by_value)) open.push_back(inner);
  }
  return false;
}

}  // namespace

void check_id(Core& core, const std::string& id) {
  if (id.size() > core.limits().id_bytes)
    throw_limit("the repository id has more than " + std::to_string(core.limits().id_bytes) + " octets");
  const std::size_t colon = id.find(':');
  if (colon == 0 || colon == std::string::npos || !is_visible(id))
    throw_bad_param(16, "a repository id has the form FORMAT:TEXT");
  if (core.store().find_id(id)) throw_bad_param(2, id + " is in the repository already");
}

void check_identifier(Core& core, const std::string& name) {
  if (name.size() > core.limits().name_bytes)
    throw_limit("the name has more than " + std::to_string(core.limits().name_bytes) + " octets");
  if (!is_identifier(name)) throw_bad_param(15, "the name is no identifier");
}

void check_version(Core& core, const std::string& version) {
  if (version.size() > core.limits().name_bytes)
    throw_limit("the version has more than " + std::to_string(core.limits().name_bytes) + " octets");
  if (!is_visible(version)) throw_bad_param(0, "the version has characters that no version has");
}

void check_place(Core& core, const Definition& container, Kind kind, const std::string& name) {
  if (!may_hold(container.kind, kind))
    throw_bad_param(4, std::string(name_of(container.kind)) + " cannot hold " + name_of(kind));
  if (const auto taken = core.store().find_name(container.number, name))
    throw_bad_param(3, "the scope has " + taken->id + " as '" + taken->name + "'");
  if (is_feature(kind)) check_inherited(core, container, name);
  std::size_t depth = 0;
  for (Number scope = container.number; scope != repository_number; scope = core.entry(scope).container)
    if (++depth >= core.limits().nesting) throw_limit("the scopes nest too deep");
}

void check_member_names(Core& core, const std::vector<std::string>& names) {
  if (names.size() > core.limits().members)
    throw_limit("there are more than " + std::to_string(core.limits().members) + " members or parameters");
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.size() > core.limits().name_bytes) throw_limit("a member's name is too long");
    if (!is_identifier(name)) throw_bad_param(17, "the name of a member is no identifier");
    if (!seen.insert(in_lower_case(name)).second)
      throw_bad_param(17, "two members have the name '" + name + "'");
  }
}

void check_details(Core& core, const Definition& definition) {
  TypeCodes types = core.type_codes();
  const Details& details = definition.details;
  if (details.members().size() > core.limits().members) throw_limit("there are too many members");
  if (definition.kind != Kind::dk_Union) check_member_names(core, names_of(details.members()));
  switch (definition.kind) {
    case Kind::dk_Interface:
    case Kind::dk_AbstractInterface:
    case Kind::dk_LocalInterface:
      return check_interface(core, definition);
    case Kind::dk_Value:
      return check_value(core, definition);
    case Kind::dk_Operation:
      return check_operation(types, details);
    case Kind::dk_Constant:
      return check_constant(types, details);
    case Kind::dk_Union:
      return check_union(core, types, definition);
    case Kind::dk_Struct:
    case Kind::dk_Exception:
      for (const Member& member : details.members()) check_value_type(types, member.type());
      return;
    case Kind::dk_Enum:
      if (details.members().empty()) throw_bad_param(17, "an enum has at least one member");
      return;
    case Kind::dk_Attribute:
      if (details.mode() != 0 && !details.more.on_set().empty())
        throw_bad_param(0, "a readonly attribute is not written, so it raises nothing then");
      return check_value_type(types, details.type());
    case Kind::dk_Alias:
    case Kind::dk_ValueBox:
    case Kind::dk_ValueMember:
      return check_value_type(types, details.type());
    default:
      return;
  }
}

void check_containment(Core& core, const Definition& definition) {
  if (contains_itself(core, definition, true) || contains_itself(core, definition, false))
    throw_bad_type(definition.id + " would contain itself");
}

}  // namespace takt::ifr
