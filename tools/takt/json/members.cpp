#include "json/members.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "json/text.h"
#include "json/types.h"

namespace takt::json {

using CORBA::TCKind;
using CORBA::typecode_reference;

namespace {

constexpr std::size_t most_bases = 200;
constexpr std::string_view optional_member = "$optional";  // no IDL has such a name

}  // namespace

typecode_reference behind_aliases(typecode_reference type) {
  if (!type) throw Failure("", "a type that is not known");
  if (type->_is_recursion()) {
    auto meant = type->_resolved(type.shared());
    if (!meant) throw Failure("", "a type that is not complete");
    type = typecode_reference(std::move(meant));
  }
  while (type->_parts().kind == TCKind::tk_alias) type = type->content_type();
  return type;
}

std::vector<Member> members_of(const typecode_reference& type, const Path& at) {
  std::vector<typecode_reference> types{type};
  const TCKind kind = type->_parts().kind;
  if (kind == TCKind::tk_value || kind == TCKind::tk_event)
    while (const auto base = types.back()->concrete_base_type()) {
      if (types.size() == most_bases)
        at.fail("its type has more than " + std::to_string(most_bases) + " bases");
      types.push_back(behind_aliases(base));
    }
  std::vector<Member> members;
  for (auto each = types.rbegin(); each != types.rend(); ++each)
    for (std::uint32_t i = 0; i < (*each)->_parts().members.size(); ++i)
      members.push_back({(*each)->member_name(i), (*each)->member_type(i)});
  return members;
}

bool have_names(const std::vector<Member>& members) {
  std::set<std::string_view> names;
  return std::ranges::all_of(members, [&](const Member& member) {
    return !member.name.empty() && names.insert(member.name).second && characters_of(member.name);
  });
}

typecode_reference make_optional(typecode_reference type) { return cdr::optional_typecode(std::move(type)); }

bool is_optional(const CORBA::TypeCode& type) {
  const cdr::TypeCodeParts& parts = type._parts();
  return parts.kind == TCKind::tk_union && parts.id.empty() && parts.members.size() == 1 &&
         parts.members.front().name == optional_member && parts.members.front().label == 1 &&
         parts.default_index < 0 && parts.discriminator->_unaliased()._parts().kind == TCKind::tk_boolean;
}

bool has_null(const typecode_reference& type) {
  const auto actual = behind_aliases(type);
  switch (actual->_parts().kind) {
    case TCKind::tk_null:
    case TCKind::tk_void:
    case TCKind::tk_objref:
    case TCKind::tk_component:
    case TCKind::tk_home:
    case TCKind::tk_abstract_interface:
    case TCKind::tk_value:
    case TCKind::tk_event:
    case TCKind::tk_value_box:
      return true;
    default:
      return is_optional(*actual);
  }
}

bool has_octets(const CORBA::TypeCode& type) {
  const TCKind kind = type._parts().kind;
  return (kind == TCKind::tk_sequence || kind == TCKind::tk_array) &&
         behind_aliases(type.content_type())->_parts().kind == TCKind::tk_octet;
}

std::string called(const typecode_reference& type) {
  const auto actual = behind_aliases(type);
  const cdr::TypeCodeParts& parts = actual->_parts();
  const std::string bound = parts.length ? " of at most " + std::to_string(parts.length) : "";
  switch (parts.kind) {
    case TCKind::tk_string:
    case TCKind::tk_wstring:
      return std::string(name_of(parts.kind)) + (parts.length ? bound + " characters" : "");
    case TCKind::tk_sequence:
      return "sequence" + bound;
    case TCKind::tk_array:
      return "array of " + std::to_string(parts.length);
    case TCKind::tk_fixed:
      return "fixed<" + std::to_string(parts.digits) + "," + std::to_string(parts.scale) + ">";
    default:
      return std::string(name_of(parts.kind)) + (parts.name.empty() ? "" : " " + parts.name);
  }
}

std::string with_article(const std::string& noun) {
  const bool has_vowel = noun.find_first_of("aeio") == 0 || noun.starts_with("unsigned");
  return (has_vowel ? "an " : "a ") + noun;
}

}  // namespace takt::json
