// The runtime's operations that make TypeCodes for the classic mapping.
#include "classic/bridge/orb_types_bridge.h"

#include "classic/bridge/orb_handle.h"
#include "classic/bridge/runtime.h"
#include "classic/bridge/types.h"

namespace takt::classic::orb {

namespace {

// Runs an operation of the ORB that makes a TypeCode.
template <class Make>
TypeCodeHandle* made(Make make) {
  return translating([&] { return new TypeCodeHandle(make()); });
}
CORBA::StructMemberSeq struct_members(const std::vector<MemberPart>& members) {
  CORBA::StructMemberSeq list;
  for (const MemberPart& member : members) list.emplace_back(member.name, member.type->type);
  return list;
}

}  // namespace

TypeCodeHandle* struct_type(OrbHandle& orb, const char* id, const char* name,
                            const std::vector<MemberPart>& members, bool is_exception) {
  return made([&] {
    return is_exception ? orb.orb->create_exception_tc(id, name, struct_members(members))
                        : orb.orb->create_struct_tc(id, name, struct_members(members));
  });
}
TypeCodeHandle* union_type(OrbHandle& orb, const char* id, const char* name, TypeCodeHandle& discriminator,
                           const std::vector<MemberPart>& members) {
  return made([&] {
    CORBA::UnionMemberSeq list;
    for (const MemberPart& member : members)
      list.emplace_back(member.name, member.label ? member.label->any : CORBA::Any(), member.type->type);
    return orb.orb->create_union_tc(id, name, discriminator.type, list);
  });
}
TypeCodeHandle* enum_type(OrbHandle& orb, const char* id, const char* name,
                          const std::vector<const char*>& members) {
  return made([&] {
    return orb.orb->create_enum_tc(id, name, CORBA::EnumMemberSeq(members.begin(), members.end()));
  });
}
TypeCodeHandle* value_type(OrbHandle& orb, const char* id, const char* name, std::int16_t modifier,
                           TypeCodeHandle* base, const std::vector<MemberPart>& members) {
  return made([&] {
    CORBA::ValueMemberSeq list;
    for (const MemberPart& member : members) list.emplace_back(member.name, member.type->type, member.access);
    return orb.orb->create_value_tc(id, name, modifier, base ? base->type : CORBA::typecode_reference(),
                                    list);
  });
}
TypeCodeHandle* named_type(OrbHandle& orb, Named kind, const char* id, const char* name) {
  return made([&] {
    switch (kind) {
      case Named::interface:
        return orb.orb->create_interface_tc(id, name);
      case Named::abstract_interface:
        return orb.orb->create_abstract_interface_tc(id, name);
      case Named::local_interface:
        return orb.orb->create_local_interface_tc(id, name);
      case Named::native:
        return orb.orb->create_native_tc(id, name);
      case Named::component:
        return orb.orb->create_component_tc(id, name);
      default:
        return orb.orb->create_home_tc(id, name);
    }
  });
}
TypeCodeHandle* type_around(OrbHandle& orb, Around kind, const char* id, const char* name,
                            TypeCodeHandle& content) {
  return made([&] {
    return kind == Around::alias ? orb.orb->create_alias_tc(id, name, content.type)
                                 : orb.orb->create_value_box_tc(id, name, content.type);
  });
}
TypeCodeHandle* text_type(OrbHandle& orb, bool wide, std::uint32_t bound) {
  return made([&] { return wide ? orb.orb->create_wstring_tc(bound) : orb.orb->create_string_tc(bound); });
}
TypeCodeHandle* fixed_type(OrbHandle& orb, std::uint16_t digits, std::int16_t scale) {
  return made([&] { return orb.orb->create_fixed_tc(digits, scale); });
}
TypeCodeHandle* list_type(OrbHandle& orb, bool is_array, std::uint32_t length, TypeCodeHandle& element) {
  return made([&] {
    return is_array ? orb.orb->create_array_tc(length, element.type)
                    : orb.orb->create_sequence_tc(length, element.type);
  });
}
TypeCodeHandle* recursive_type(OrbHandle& orb, const char* id) {
  return made([&] { return orb.orb->create_recursive_tc(id); });
}

}  // namespace takt::classic::orb
