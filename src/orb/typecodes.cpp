// ORB::create_*_tc.
#include <takt/orb/orb.h>

#include "cdr/typecodes/typecode_checks.h"

namespace CORBA {

using namespace takt::cdr;

namespace {

template <class Members>
std::vector<TypeCodeMember> members_of(const Members& members) {
  std::vector<TypeCodeMember> all;
  for (const auto& member : members) all.push_back({.name = member.name(), .type = member.type()});
  return all;
}

typecode_reference named(TCKind kind, const std::string& id, const std::string& name,
                         std::vector<TypeCodeMember> members = {}) {
  check_names(id, name);
  return make_typecode({.kind = kind, .id = id, .name = name, .members = std::move(members)});
}

// Throws BAD_PARAM (OMG minor 19) unless the label has the discriminator's type. A label without a value is
// 0.
std::int64_t number_of(const Any& label, const typecode_reference& discriminator) {
  if (!label.type()->equivalent(discriminator))
    throw BAD_PARAM(omg_minor(19), COMPLETED_NO, "a union's label is not of its discriminator's type");
  std::int64_t number = 0;
  takt::cdr::label_in(label, number);
  return number;
}

// An octet 0, unless that is a label like any other.
bool is_default(const Any& label, const typecode_reference& discriminator) {
  std::int64_t number = 0;
  return label.type()->_unaliased()._parts().kind == TCKind::tk_octet &&
         discriminator->_unaliased()._parts().kind != TCKind::tk_octet &&
         (!takt::cdr::label_in(label, number) || number == 0);
}

typecode_reference value_type(TCKind kind, const std::string& id, const std::string& name,
                              ValueModifier modifier, const typecode_reference& concrete_base,
                              const ValueMemberSeq& members) {
  check_names(id, name);
  check_members(members);
  TypeCodeParts parts{.kind = kind, .id = id, .name = name, .members = members_of(members)};
  for (std::size_t i = 0; i < members.size(); ++i) parts.members[i].visibility = members[i].access();
  parts.content = check_base(concrete_base);
  parts.modifier = modifier;
  return make_typecode(std::move(parts));
}

}  // namespace

typecode_reference ORB::create_struct_tc(const std::string& id, const std::string& name,
                                         const StructMemberSeq& members) {
  check_members(members);
  return named(TCKind::tk_struct, id, name, members_of(members));
}

typecode_reference ORB::create_exception_tc(const std::string& id, const std::string& name,
                                            const StructMemberSeq& members) {
  check_members(members);
  return named(TCKind::tk_except, id, name, members_of(members));
}

typecode_reference ORB::create_union_tc(const std::string& id, const std::string& name,
                                        const typecode_reference& discriminator,
                                        const UnionMemberSeq& members) {
  check_names(id, name);
  check_union(discriminator, members);
  TypeCodeParts parts{.kind = TCKind::tk_union, .id = id, .name = name, .members = members_of(members)};
  parts.discriminator = discriminator;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!is_default(members[i].label(), discriminator)) {
      parts.members[i].label = number_of(members[i].label(), discriminator);
    } else {
      if (parts.default_index >= 0)
        throw BAD_PARAM(omg_minor(18), COMPLETED_NO, "a union has two default members");
      parts.default_index = static_cast<std::int32_t>(i);
    }
  }
  return make_typecode(std::move(parts));
}

typecode_reference ORB::create_enum_tc(const std::string& id, const std::string& name,
                                       const EnumMemberSeq& members) {
  check_member_names(members);
  std::vector<TypeCodeMember> all;
  for (const auto& member : members) all.push_back({.name = member});
  return named(TCKind::tk_enum, id, name, std::move(all));
}

typecode_reference ORB::create_alias_tc(const std::string& id, const std::string& name,
                                        const typecode_reference& original) {
  check_names(id, name);
  check_member_type(original);
  return takt::cdr::make_alias(id, name, original);
}

typecode_reference ORB::create_interface_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_objref, id, name);
}
typecode_reference ORB::create_abstract_interface_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_abstract_interface, id, name);
}
typecode_reference ORB::create_local_interface_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_local_interface, id, name);
}
typecode_reference ORB::create_native_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_native, id, name);
}
typecode_reference ORB::create_component_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_component, id, name);
}
typecode_reference ORB::create_home_tc(const std::string& id, const std::string& name) {
  return named(TCKind::tk_home, id, name);
}

typecode_reference ORB::create_string_tc(std::uint32_t bound) {
  if (bound == 0) return takt::cdr::basic_typecode(TCKind::tk_string);
  return make_typecode({.kind = TCKind::tk_string, .length = bound});
}
typecode_reference ORB::create_wstring_tc(std::uint32_t bound) {
  if (bound == 0) return takt::cdr::basic_typecode(TCKind::tk_wstring);
  return make_typecode({.kind = TCKind::tk_wstring, .length = bound});
}
typecode_reference ORB::create_fixed_tc(std::uint16_t digits, std::int16_t scale) {
  check_fixed(digits, scale);
  return make_typecode({.kind = TCKind::tk_fixed, .digits = digits, .scale = scale});
}
typecode_reference ORB::create_sequence_tc(std::uint32_t bound, const typecode_reference& element) {
  check_member_type(element);
  return make_typecode({.kind = TCKind::tk_sequence, .content = element, .length = bound});
}
typecode_reference ORB::create_array_tc(std::uint32_t length, const typecode_reference& element) {
  check_member_type(element);
  return make_typecode({.kind = TCKind::tk_array, .content = element, .length = length});
}
typecode_reference ORB::create_recursive_tc(const std::string& id) {
  check_names(id, "");
  if (id.empty())
    throw BAD_PARAM(omg_minor(16), COMPLETED_NO, "a recursive TypeCode stands for a type with an id");
  return takt::cdr::make_recursion(id);
}

typecode_reference ORB::create_value_tc(const std::string& id, const std::string& name,
                                        ValueModifier modifier, const typecode_reference& concrete_base,
                                        const ValueMemberSeq& members) {
  return value_type(TCKind::tk_value, id, name, modifier, concrete_base, members);
}
typecode_reference ORB::create_event_tc(const std::string& id, const std::string& name,
                                        ValueModifier modifier, const typecode_reference& concrete_base,
                                        const ValueMemberSeq& members) {
  return value_type(TCKind::tk_event, id, name, modifier, concrete_base, members);
}

typecode_reference ORB::create_value_box_tc(const std::string& id, const std::string& name,
                                            const typecode_reference& boxed) {
  check_names(id, name);
  check_member_type(boxed);
  return make_typecode({.kind = TCKind::tk_value_box, .id = id, .name = name, .content = boxed});
}

}  // namespace CORBA
