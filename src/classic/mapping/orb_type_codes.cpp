// The ORB's operations that make TypeCodes.
#include <vector>

#include <takt/classic/orb.h>
#include <takt/classic/type_members.h>

#include "classic/bridge/failures.h"
#include "classic/bridge/orb_types_bridge.h"

namespace CORBA {
inline namespace takt_classic_ {

namespace bridge = takt::classic::orb;
using bridge::MemberPart;
using takt::classic::TypeCodeHandle;

namespace {

TypeCodeHandle& some(TypeCode_ptr type) {
  if (!is_nil(type)) return *type->_takt_handle();
  takt::classic::raise_system("IDL:omg.org/CORBA/BAD_TYPECODE:1.0", 0x4f4d0002, COMPLETED_NO,
                              "a TypeCode that is part of another is nil");
}
const char* text(const char* text) { return text ? text : ""; }
}  // namespace

namespace {

takt::classic::AnyHandle* label_of(const UnionMember& member) { return member.label._takt_handle(); }
takt::classic::AnyHandle* label_of(const StructMember&) { return nullptr; }
takt::classic::AnyHandle* label_of(const ValueMember&) { return nullptr; }
Visibility access_of(const ValueMember& member) { return member.access; }
Visibility access_of(const StructMember&) { return PRIVATE_MEMBER; }
Visibility access_of(const UnionMember&) { return PRIVATE_MEMBER; }

template <class Members>
std::vector<MemberPart> parts(const Members& members) {
  std::vector<MemberPart> list;
  for (ULong i = 0; i < members.length(); ++i)
    list.push_back({text(members[i].name.in()), &some(members[i].type.in()), label_of(members[i]),
                    access_of(members[i])});
  return list;
}

}  // namespace

TypeCode_ptr ORB::create_struct_tc(const char* id, const char* name, const StructMemberSeq& members) {
  return TypeCode::_takt_make(bridge::struct_type(handle(), text(id), text(name), parts(members), false));
}
TypeCode_ptr ORB::create_exception_tc(const char* id, const char* name, const StructMemberSeq& members) {
  return TypeCode::_takt_make(bridge::struct_type(handle(), text(id), text(name), parts(members), true));
}
TypeCode_ptr ORB::create_union_tc(const char* id, const char* name, TypeCode_ptr discriminator,
                                  const UnionMemberSeq& members) {
  return TypeCode::_takt_make(
      bridge::union_type(handle(), text(id), text(name), some(discriminator), parts(members)));
}
TypeCode_ptr ORB::create_enum_tc(const char* id, const char* name, const EnumMemberSeq& members) {
  std::vector<const char*> names;
  for (ULong i = 0; i < members.length(); ++i) names.push_back(text(members[i]));
  return TypeCode::_takt_make(bridge::enum_type(handle(), text(id), text(name), names));
}
TypeCode_ptr ORB::create_value_tc(const char* id, const char* name, Short modifier,
                                  TypeCode_ptr concrete_base, const ValueMemberSeq& members) {
  return TypeCode::_takt_make(
      bridge::value_type(handle(), text(id), text(name), modifier,
                         is_nil(concrete_base) ? nullptr : concrete_base->_takt_handle(), parts(members)));
}
TypeCode_ptr ORB::create_alias_tc(const char* id, const char* name, TypeCode_ptr original) {
  return TypeCode::_takt_make(
      bridge::type_around(handle(), bridge::Around::alias, text(id), text(name), some(original)));
}
TypeCode_ptr ORB::create_value_box_tc(const char* id, const char* name, TypeCode_ptr boxed) {
  return TypeCode::_takt_make(
      bridge::type_around(handle(), bridge::Around::value_box, text(id), text(name), some(boxed)));
}
#define TAKT_CLASSIC_DEFINE(KIND)                                                                         \
  TypeCode_ptr ORB::create_##KIND##_tc(const char* id, const char* name) {                                \
    return TypeCode::_takt_make(bridge::named_type(handle(), bridge::Named::KIND, text(id), text(name))); \
  }
TAKT_CLASSIC_DEFINE(interface)
TAKT_CLASSIC_DEFINE(abstract_interface)
TAKT_CLASSIC_DEFINE(local_interface)
TAKT_CLASSIC_DEFINE(native)
TAKT_CLASSIC_DEFINE(component)
TAKT_CLASSIC_DEFINE(home)
#undef TAKT_CLASSIC_DEFINE
TypeCode_ptr ORB::create_string_tc(ULong bound) {
  return TypeCode::_takt_make(bridge::text_type(handle(), false, bound));
}
TypeCode_ptr ORB::create_wstring_tc(ULong bound) {
  return TypeCode::_takt_make(bridge::text_type(handle(), true, bound));
}
TypeCode_ptr ORB::create_fixed_tc(UShort digits, Short scale) {
  return TypeCode::_takt_make(bridge::fixed_type(handle(), digits, scale));
}
TypeCode_ptr ORB::create_sequence_tc(ULong bound, TypeCode_ptr element) {
  return TypeCode::_takt_make(bridge::list_type(handle(), false, bound, some(element)));
}
TypeCode_ptr ORB::create_array_tc(ULong length, TypeCode_ptr element) {
  return TypeCode::_takt_make(bridge::list_type(handle(), true, length, some(element)));
}
TypeCode_ptr ORB::create_recursive_tc(const char* id) {
  return TypeCode::_takt_make(bridge::recursive_type(handle(), text(id)));
}

}  // namespace takt_classic_
}  // namespace CORBA
