#include "dynamic/any/whole.h"

namespace takt::dynamic {

namespace {

// Types with parts, which may be recursions.
bool has_parts(const CORBA::TypeCode& type) {
  const cdr::TypeCodeParts& parts = type._parts();
  return type._is_recursion() || parts.content ||
         (!parts.members.empty() && parts.kind != CORBA::TCKind::tk_enum);
}

struct KeptTypes {
  CORBA::typecode_reference whole, part;
};

}  // namespace

CORBA::typecode_reference Whole::kept(const CORBA::typecode_reference& part) {
  if (!type || part.get() == type.get() || !has_parts(*part)) return part;
  CORBA::typecode_reference& kept = kept_[part.get()];
  if (!kept) {
    const auto both = std::make_shared<const KeptTypes>(KeptTypes{type, part});
    kept = CORBA::typecode_reference(std::shared_ptr<const CORBA::TypeCode>(both, part.get()));
  }
  return kept;
}

MemberList Whole::members_of(const CORBA::typecode_reference& type,
                             std::vector<Member> (*list)(const CORBA::typecode_reference&)) {
  Listed& listed = listed_[type.get()];
  if (!listed.members) listed = {type, std::make_shared<const std::vector<Member>>(list(type))};
  return listed.members;
}

}  // namespace takt::dynamic
