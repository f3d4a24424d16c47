#include "cdr/typecodes/typecode_checks.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "cdr/typecodes/typecode_maker.h"

namespace takt::cdr {

namespace {

using CORBA::TCKind;
using CORBA::typecode_reference;

[[noreturn]] void refuse_parameter(std::uint32_t minor, const std::string& why) {
  throw CORBA::BAD_PARAM(CORBA::omg_minor(minor), CORBA::COMPLETED_NO, why);
}

bool is_letter(char character) {
  return (character >= 'A' && character <= 'Z') || (character >= 'a' && character <= 'z');
}

bool is_identifier(std::string_view name) {
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, [](char character) {
    return is_letter(character) || (character >= '0' && character <= '9') || character == '_';
  });
}

bool same_type(const typecode_reference& a, const typecode_reference& b) {
  if (a.get() == b.get()) return true;
  if (a->_is_recursion() || b->_is_recursion())
    return a->_is_recursion() && b->_is_recursion() && a->_parts().id == b->_parts().id;
  return a->equivalent(b);
}

bool can_be_discriminator(TCKind kind) {
  switch (kind) {
    case TCKind::tk_short:
    case TCKind::tk_ushort:
    case TCKind::tk_long:
    case TCKind::tk_ulong:
    case TCKind::tk_longlong:
    case TCKind::tk_ulonglong:
    case TCKind::tk_boolean:
    case TCKind::tk_char:
    case TCKind::tk_wchar:  // this and octet: IDL 4.2
    case TCKind::tk_octet:
    case TCKind::tk_enum:
      return true;
    default:
      return false;
  }
}

}  // namespace

void check_names(const std::string& id, const std::string& name) {
  if (!name.empty() && !is_identifier(name)) refuse_parameter(15, "'" + name + "' is no name of a type");
  if (!id.empty() && id.find(':') == std::string::npos)
    refuse_parameter(16, "'" + id + "' is no repository id, as IDL:Module/Type:1.0 is one");
}

void check_member_names(const std::vector<std::string>& names) {
  std::set<std::string_view> all;
  for (const std::string& name : names) {
    if (!is_identifier(name)) refuse_parameter(17, "'" + name + "' is no name of a member");
    if (!all.insert(name).second) refuse_parameter(17, "there are two members '" + name + "'");
  }
}

void check_member_type(const typecode_reference& type) {
  const bool good =
      type && (type->_is_recursion() || (type->kind() != TCKind::tk_null && type->kind() != TCKind::tk_void &&
                                         type->kind() != TCKind::tk_except));
  if (!good)
    throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO,
                              "a type that can't be a member or an element");
}

void check_union(const typecode_reference& discriminator, const CORBA::UnionMemberSeq& members) {
  if (!discriminator || discriminator->_is_recursion() ||
      !can_be_discriminator(discriminator->_unaliased()._parts().kind))
    refuse_parameter(20, "a union's discriminator is of a type that can't be one");
  std::vector<std::string> names;
  for (std::size_t i = 0; i < members.size(); ++i) {
    check_member_type(members[i].type());
    const bool further_label = i > 0 && members[i].name() == members[i - 1].name() &&
                               same_type(members[i].type(), members[i - 1].type());
    if (!further_label) names.push_back(members[i].name());
  }
  check_member_names(names);
}

void check_fixed(std::uint16_t digits, std::int16_t scale) {
  if (digits == 0 || digits > 31 || scale < 0 || scale > digits)
    throw CORBA::BAD_PARAM(0, CORBA::COMPLETED_NO,
                           "a fixed has 1 to 31 digits, of which its scale is a part");
}

typecode_reference check_base(const typecode_reference& base) {
  if (!base || TypeCodeMaker::is_open(*base)) return base;
  if (base->kind() == TCKind::tk_null) return {};
  if (base->kind() != TCKind::tk_value && base->kind() != TCKind::tk_event)
    throw CORBA::BAD_TYPECODE(CORBA::omg_minor(2), CORBA::COMPLETED_NO, "a valuetype's base is no valuetype");
  return base;
}

}  // namespace takt::cdr
