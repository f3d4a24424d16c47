// The rules that keep a repository consistent. Violations throw BAD_PARAM with the OMG's minor code for them,
// and IMP_LIMIT.
#pragma once

#include <string>
#include <vector>

#include "ifr/service/core.h"

namespace takt::ifr {

// OMG minor 16: no repository id; 2: taken.
void check_id(Core& core, const std::string& id);
// OMG minor 15: no identifier.
void check_identifier(Core& core, const std::string& name);
void check_version(Core& core, const std::string& version);
// OMG minor 4: a container of that kind holds no such definition; 3: the name is taken; 5: an inherited
// attribute or operation has it, or one of a derived interface.
void check_place(Core& core, const Definition& container, Kind kind, const std::string& name);
// OMG minor 17: the name of a member is no identifier, or two members have the same.
void check_member_names(Core& core, const std::vector<std::string>& names);
// The rules for the details of each kind. OMG minor 5: bases with attributes or operations of the same name,
// or that derive from the definition; 11: a base of an abstract interface that is none; 12: a value that
// supports two concrete interfaces; 17 to 20: members of unions; 31: a oneway operation that returns
// something. BAD_TYPECODE, OMG minor 2: a type that cannot be there.
void check_details(Core& core, const Definition& definition);
// BAD_TYPECODE, OMG minor 2: a type that contains itself without a sequence or value between.
void check_containment(Core& core, const Definition& definition);

}  // namespace takt::ifr
