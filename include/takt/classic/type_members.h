// Descriptions of members for ORB::create_struct_tc() and the like in the classic mapping
// (CORBA 3.0.3, 4.11.3). There is no interface repository, so type_def has no use. C++14.
#pragma once

#include <takt/classic/orb_types.h>

namespace CORBA {
inline namespace takt_classic_ {

struct StructMember {
  takt::classic::String_member name;
  TypeCode_member type;
  takt::classic::ObjectMember<IDLType> type_def;
};
TAKT_CLASSIC_SEQUENCE(StructMemberSeq, takt::classic::Values<StructMember>)

// The label has the discriminator's type, or is the octet 0 for the default case.
struct UnionMember {
  takt::classic::String_member name;
  Any label;
  TypeCode_member type;
  takt::classic::ObjectMember<IDLType> type_def;
};
TAKT_CLASSIC_SEQUENCE(UnionMemberSeq, takt::classic::Values<UnionMember>)

struct ValueMember {
  takt::classic::String_member name;
  takt::classic::String_member id;
  takt::classic::String_member defined_in;
  takt::classic::String_member version;
  TypeCode_member type;
  takt::classic::ObjectMember<IDLType> type_def;
  Visibility access;
};
TAKT_CLASSIC_SEQUENCE(ValueMemberSeq, takt::classic::Values<ValueMember>)
TAKT_CLASSIC_SEQUENCE(EnumMemberSeq, takt::classic::Texts<char>)

}  // namespace takt_classic_
}  // namespace CORBA
