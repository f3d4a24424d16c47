// ORB::create_*_tc.
#include <cstring>

#include <takt/orb/orb.h>

namespace CORBA {

using takt::cdr::make_typecode;
using takt::cdr::TypeCodeMember;
using takt::cdr::TypeCodeParts;

namespace {

template <class Members>
std::vector<TypeCodeMember> members_of(const Members& members) {
  std::vector<TypeCodeMember> all;
  for (const auto& member : members) all.push_back({.name = member.name(), .type = member.type()});
  return all;
}

typecode_reference named(TCKind kind, const std::string& id, const std::string& name,
                         std::vector<TypeCodeMember> members) {
  return make_typecode({.kind = kind, .id = id, .name = name, .members = std::move(members)});
}

template <class T>
std::int64_t number_in(const std::vector<std::uint8_t>& octets) {
  T value{};
  std::memcpy(&value, octets.data(), std::min(octets.size(), sizeof value));
  return static_cast<std::int64_t>(value);
}

// Throws BAD_PARAM (OMG minor 19) unless the label has the discriminator's type.
std::int64_t number_of(const Any& label, const typecode_reference& discriminator) {
  if (!label.type()->equivalent(discriminator))
    throw BAD_PARAM(omg_minor(19), COMPLETED_NO, "a union's label is not of its discriminator's type");
  const auto& octets = label._content().octets;
  switch (discriminator->_unaliased().kind()) {
    case TCKind::tk_short:
      return number_in<std::int16_t>(octets);
    case TCKind::tk_ushort:
      return number_in<std::uint16_t>(octets);
    case TCKind::tk_long:
      return number_in<std::int32_t>(octets);
    case TCKind::tk_ulong:
    case TCKind::tk_enum:
      return number_in<std::uint32_t>(octets);
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
      return number_in<std::int64_t>(octets);
    case TCKind::tk_wchar: {
      wchar_t character{};
      label >>= character;
      return character;
    }
    default:
      return number_in<std::uint8_t>(octets);
  }
}

}  // namespace

typecode_reference ORB::create_struct_tc(const std::string& id, const std::string& name,
                                         const StructMemberSeq& members) {
  return named(TCKind::tk_struct, id, name, members_of(members));
}

typecode_reference ORB::create_exception_tc(const std::string& id, const std::string& name,
                                            const StructMemberSeq& members) {
  return named(TCKind::tk_except, id, name, members_of(members));
}

typecode_reference ORB::create_union_tc(const std::string& id, const std::string& name,
                                        const typecode_reference& discriminator,
                                        const UnionMemberSeq& members) {
  TypeCodeParts parts{.kind = TCKind::tk_union, .id = id, .name = name, .members = members_of(members)};
  parts.discriminator = discriminator;
  for (std::size_t i = 0; i < members.size(); ++i) {
    const bool is_default = members[i].label().type()->kind() == TCKind::tk_octet;
    if (is_default)
      parts.default_index = static_cast<std::int32_t>(i);
    else
      parts.members[i].label = number_of(members[i].label(), discriminator);
  }
  return make_typecode(std::move(parts));
}

typecode_reference ORB::create_enum_tc(const std::string& id, const std::string& name,
                                       const EnumMemberSeq& members) {
  std::vector<TypeCodeMember> all;
  for (const auto& member : members) all.push_back({.name = member});
  return named(TCKind::tk_enum, id, name, std::move(all));
}

typecode_reference ORB::create_alias_tc(const std::string& id, const std::string& name,
                                        const typecode_reference& original) {
  return takt::cdr::make_alias(id, name, original);
}

typecode_reference ORB::create_interface_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_objref, id, name);
}
typecode_reference ORB::create_abstract_interface_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_abstract_interface, id, name);
}
typecode_reference ORB::create_local_interface_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_local_interface, id, name);
}
typecode_reference ORB::create_native_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_native, id, name);
}
typecode_reference ORB::create_component_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_component, id, name);
}
typecode_reference ORB::create_home_tc(const std::string& id, const std::string& name) {
  return takt::cdr::make_named(TCKind::tk_home, id, name);
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
  return make_typecode({.kind = TCKind::tk_fixed, .digits = digits, .scale = scale});
}
typecode_reference ORB::create_sequence_tc(std::uint32_t bound, const typecode_reference& element) {
  return make_typecode({.kind = TCKind::tk_sequence, .content = element, .length = bound});
}
typecode_reference ORB::create_array_tc(std::uint32_t length, const typecode_reference& element) {
  return make_typecode({.kind = TCKind::tk_array, .content = element, .length = length});
}
typecode_reference ORB::create_recursive_tc(const std::string& id) { return takt::cdr::make_recursion(id); }

typecode_reference ORB::create_value_tc(const std::string& id, const std::string& name,
                                        ValueModifier modifier, const typecode_reference& concrete_base,
                                        const ValueMemberSeq& members) {
  TypeCodeParts parts{.kind = TCKind::tk_value, .id = id, .name = name, .members = members_of(members)};
  for (std::size_t i = 0; i < members.size(); ++i) parts.members[i].visibility = members[i].access();
  parts.content = concrete_base;
  parts.modifier = modifier;
  return make_typecode(std::move(parts));
}

typecode_reference ORB::create_value_box_tc(const std::string& id, const std::string& name,
                                            const typecode_reference& boxed) {
  return make_typecode({.kind = TCKind::tk_value_box, .id = id, .name = name, .content = boxed});
}

}  // namespace CORBA
