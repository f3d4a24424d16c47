#include "dynamic/any/whole.h"

namespace takt::dynamic {

MemberList Whole::members_of(const CORBA::typecode_reference& type,
                             std::vector<Member> (*list)(const CORBA::typecode_reference&)) {
  Listed& listed = listed_[type.get()];
  if (!listed.members) listed = {type, std::make_shared<const std::vector<Member>>(list(type))};
  return listed.members;
}

}  // namespace takt::dynamic
