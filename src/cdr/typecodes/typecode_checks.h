// Checks of ORB::create_*_tc beyond those of every TypeCode (CORBA 3.0.3, 4.11.3).
#pragma once

#include <string>

#include <takt/cdr/type_members.h>

namespace takt::cdr {

// BAD_PARAM (OMG minor 15) for a name that is no identifier, (OMG minor 16) for an id without a format. Both
// may be empty.
void check_names(const std::string& id, const std::string& name);

// BAD_PARAM (OMG minor 17) for what is no identifier or is there twice.
void check_member_names(const std::vector<std::string>& names);

// BAD_TYPECODE (OMG minor 2) for nil and for what no member, element or alias can be.
void check_member_type(const CORBA::typecode_reference& type);

// Checks that all kinds of members share: names and types.
template <class Members>
void check_members(const Members& members) {
  std::vector<std::string> names;
  for (const auto& member : members) {
    names.push_back(member.name());
    check_member_type(member.type());
  }
  check_member_names(names);
}

// A member may have several labels, in members of the same name and type that follow each other. BAD_PARAM,
// OMG minor 17, where other members have the same name, and 20 where the discriminator's type cannot be one.
void check_union(const CORBA::typecode_reference& discriminator, const CORBA::UnionMemberSeq& members);

// BAD_PARAM unless there are 1 to 31 digits, and as many before the scale at least.
void check_fixed(std::uint16_t digits, std::int16_t scale);

// Nil for nil and tk_null. BAD_TYPECODE (OMG minor 2) for what is no valuetype.
CORBA::typecode_reference check_base(const CORBA::typecode_reference& base);

}  // namespace takt::cdr
